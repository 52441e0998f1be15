ETW
switch(xbB7𞀆I𠳯l𮘘𝅦){case h㑄𨏾lx:BgflVt6 if(l)var oI00𓓺ꥵ else;}