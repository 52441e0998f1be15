function QymJ(){Vٰe
switch(P){case oW:throw{}
try{r𖹲𚿵4hhhvc}finally{debugger}}}