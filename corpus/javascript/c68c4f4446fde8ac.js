do block:loop:for(var sz;U𐵉fU้wv;cD1Kn0_ycㄅg);while(𞄽)
var fd;