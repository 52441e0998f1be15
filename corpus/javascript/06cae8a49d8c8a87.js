((msvs)) --
var ul𡲰0ꬉf;