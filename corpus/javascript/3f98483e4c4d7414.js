function m්(){block:loop:for(i[a2u]in g6഻v,O3lOౄ)do do{do;while(stVyꯢlაv,f)var o,I;do do do throw new Zk();while(--ଏ);while(--ៜak𓞌);while(Uk);return pphￏxx7|=C of=𩻬lMd᳹y;continue loop debugger;breakblockdo --lፚcꙿa;while(--x,qgs);var neࡠ if(--sw,we)do var Kht82Er𱳨;while(--s)
else continue;debugger
try{break
switch(--e$𦷰wKhF){default:throw function vp𭝱(){} omuklqirn9:return new U();debugger;continue for(var r,ed0;;)for(;;)try{{return}return debugger;;var a}finally{}}}finally{}}while(a);while(a);}