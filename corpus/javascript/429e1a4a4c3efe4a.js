function lynVࣿ(){do try{}catch(zd){}while(L)
var 𑾰;}