do if(u);else;while(tZc)
var s;