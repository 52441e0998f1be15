function kh𑼾l𝝈wP𐍵Nvh𱏠s᪽e𦰋7(){Jag
switch(fu){case TU:throw　new l for(var Qs𮱝2ৼy1C=𩵎 in elm6,d)throw'';}}