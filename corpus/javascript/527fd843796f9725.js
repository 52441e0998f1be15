throw /\0/
var s𐒩dtoi;