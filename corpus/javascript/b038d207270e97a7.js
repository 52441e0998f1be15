do try{}catch(of){}while(X𔇞)
var Ꟑmu;