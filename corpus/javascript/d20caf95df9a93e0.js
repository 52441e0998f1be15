swm
try{}catch(of){}