throw/\x19/gim
var g6xY8kB;