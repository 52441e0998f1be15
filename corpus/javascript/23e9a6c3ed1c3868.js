function fQymJ(){Vٰe
switch(P){case oW:𞄬o for(;;)try{}catch(\u004C2Ub){}}}