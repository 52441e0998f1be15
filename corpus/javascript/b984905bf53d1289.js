!u
var xMUltmr;