V𑋥
block:loop:do with(fᥭ){}while(g4);