function 𐺱h𑼾l𝝈wP𐍵Nvh𱏠s᪽e𦰋7(){Jag
switch(fu){case TU:szg for(Qs𮱝2ৼy1C;p;c7m6){}}}