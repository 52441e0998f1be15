''[bm]=g7
var m;