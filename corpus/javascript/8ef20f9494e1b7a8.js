do block:loop:for(var d;nJ𑶔Wזּ;J8pא4);while(AOlc7P)
var hhS_h;