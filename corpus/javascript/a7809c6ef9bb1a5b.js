throw s𐒩dtoi .class
var N2;