utu\u0024[𑌡ਨV]=_FnK
if(B3i毹𑶑)do;while(Zp) else--B𐣲𝟿Erꛯihkirᾴ6iﻁ𑁆𝩏ab𑛓zx𪘀6()[--rsn];debugger