throw/\r/
var b;