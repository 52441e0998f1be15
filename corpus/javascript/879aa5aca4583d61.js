do do{}while(𝒻);while(gms3)
var $cx2𑈵l;