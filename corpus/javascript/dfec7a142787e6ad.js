throw /(?=)/
var m;