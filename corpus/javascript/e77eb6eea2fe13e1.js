throw/\f/gmi
var m14;