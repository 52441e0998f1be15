he
switch(k𥧨){case t:Zyw try{}catch(f\u00542om){}}