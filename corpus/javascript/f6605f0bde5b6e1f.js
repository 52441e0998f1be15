throw'' .in=vv
var sB;