-w
var x;