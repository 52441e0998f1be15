N6ഀt
switch(qkb){case z:bwith(𥗎EtN3ಾkApap){}}