function 𞥋iKᢀ(){do block:loop:while(tfevpC1)while(n){continue}while(uﯓ4JK)
var D7ެA;}