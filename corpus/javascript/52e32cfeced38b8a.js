throw 0.e+7
var v8꛱hpVx;