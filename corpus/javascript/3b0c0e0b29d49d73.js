throw 0.e-0
var g𑌾;