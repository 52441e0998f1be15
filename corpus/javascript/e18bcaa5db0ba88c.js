do if(u);while(tZc)
var s;