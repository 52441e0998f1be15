function d𣊲(){ySswitch(h){case 𐺱h𑼾l𝝈wP𐍵Nvh𱏠s᪽e𦰋7:Jag
for(fu;kU;FvYas𮱝2ৼy1C)var bꫵkch;}}