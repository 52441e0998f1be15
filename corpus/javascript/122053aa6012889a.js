new new S𝨻
var Xg;