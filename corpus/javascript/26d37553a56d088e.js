o
try{}catch(tuu\u00245){}