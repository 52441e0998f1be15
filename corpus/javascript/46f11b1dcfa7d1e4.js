throw n_tꫫ8𑂃I6𐓓9pscp𓑔 .if
var n𐻿k;