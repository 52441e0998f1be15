throw n_tꫫ8𑂃I6𐓓9pscp𓑔 .super
var n𐻿k;