(Cx[--ig]) --
var Ö;