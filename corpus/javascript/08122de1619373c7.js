rX
block:loop:do if(k𐵊){}else{}while(nxm);