function eౕM͈(){do while(l){}while(dToi)
var y677;}