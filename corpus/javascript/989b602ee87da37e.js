do for(𩗮[oR]inTrsts)var s;while(x)
var w0efU6B꠆wy𑥁Fwb;