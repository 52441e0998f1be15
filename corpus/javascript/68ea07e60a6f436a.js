do for(;;);while(d0)
var b9;