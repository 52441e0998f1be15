𢓜𥱋88 block:loop:for(var 騜6Rr𑨳Fv;w,Yg;b,iGwmאr4){do{do;while(எm)
var oo᭲pr,𞤀;debugger;var g9 gue\u0046Z=C;break
debugger;continue for(var 傐査5𢓵7𨌑𞣖Lਓr᭫g;p3rxr;seWd)break;throw new bVdgixJU4() if(i𝔹𨫑ੜ,B)do var sந𞹙𪫽Kp;while(ByH4iw)else continue;continue block
try{break loopwith(--Jk,neMbw)throw b2bೊ .fO4Z;debugger switch(--Ὓc𝆭y,sb){case--E,--U2iꦼ𐞺:throw! bh꤫
 b1v6qu99:break;debugger;{;var o$𑰼$}default:breakfor(;;)try{continue loop}finally{}}}finally{}}while(a)
var a;}