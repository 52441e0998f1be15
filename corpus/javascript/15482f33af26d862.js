function meً𨷡dkagv(){tt
switch(si᷸929){case i:䇢k if(燔);else;}}