kW
switch(xbB7𞀆I𠳯l𮘘𝅦){case h㑄𨏾lx:var BgflVt6;}