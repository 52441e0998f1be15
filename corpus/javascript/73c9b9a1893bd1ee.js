do for(var SzxzFK;;);while(s0)
var 𗻙Cl;