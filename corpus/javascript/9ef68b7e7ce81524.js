throw Jdlu𪯘 .catch
var xm;