new K_A()
var w$o𑆀;