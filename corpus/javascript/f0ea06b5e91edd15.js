ws4i()[y]=_b
var v;