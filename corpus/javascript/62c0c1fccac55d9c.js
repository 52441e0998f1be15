a﹍R
switch(k){case nl:dg for(rైao[𞹷𑗝r]in W,c)k;}