㘓 switch(gR0butw){case Xf4F:𐅴ꘐ
block:loop:for(var Öt in 𞋀3){break loop}}