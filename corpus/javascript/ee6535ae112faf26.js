挈𑁿for(var 𱭫m in
nW2︤)for(igવᶺlitj倂iC,tk5;yp,G;p7,𐵯0𠷚Tgbw7w)if(wᬄ𑥐)S2x;else;