function LCoXkgs𓆺(){return﻿(to87)instanceofhax
var M0tch꥓3cϷ6𡅥S摄o𑙔c𞸲UJ𑤻UO;}