function A$v᳐t1r(){do try{}catch(of){}while(w)
var a;}