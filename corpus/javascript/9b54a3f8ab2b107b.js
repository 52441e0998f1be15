𑤯
try{}catch($\u0045F){}