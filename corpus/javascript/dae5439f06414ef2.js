do block:loop:for(var cD1Kn0_ycㄅg;𞄽;𐁝d);while(p)
var HD;