function fQymJ(){Vٰe
switch(P){case oW:𞄬o for(;;)if(Nr4hhhvc)Zp;else;}}