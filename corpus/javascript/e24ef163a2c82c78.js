function 𐻂w뤃(){k
block:loop:do if(aR94𑥙);while(oZ0);}