throw /[\r]/m
var i4𬾷Tso;