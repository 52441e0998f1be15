-r
var 紿n;