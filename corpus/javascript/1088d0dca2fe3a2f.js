do if(m)bv
else;while(m)
var c7;