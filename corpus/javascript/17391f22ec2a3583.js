function n𭥹rs0(){hs
switch(p){case f:debugger;}}