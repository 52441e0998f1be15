function oQFaೠGX(){do for(;;){}while(xfᩯ)
var ej;}