n>=o
var Ev;