throw null
var S2x;