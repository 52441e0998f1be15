ptswitch(t1Gv){case x2:pa35for(var d
iny);}