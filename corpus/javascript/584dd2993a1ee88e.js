do block:loop:for(var AoegnhQ𪞻𑛉t
in bz៏c);while(eᮤBnf්8)
var 僘㐀n;