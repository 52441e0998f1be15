function t𞟰FD𑥐(){z4d
block:loop:do if(p)var hvzQ가ఀ𢕑;while(𑱲);}