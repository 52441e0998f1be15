throw /\@/m
var i4𬾷Tso;