throw﻿! 𑤘l𞹋[l]
try{do{do{var l𥪋็,ah var dj5,GaeﮖT;throw (nﬓrss2Nf)*Ysm2[--x][--𧂺tRslrn𞗵8‌JyJ,--lU5] --;do;while(n4iI,𡰤K𞣐)
 i6=xOmEw;this.c0.ꄗ.typeof.gbn\u00592D.䯹𐖼𑁵𗚜7𪛟𝒜93n𐅀b.sⴥ6I.ァ𐨐𑗘.𐎝.a.𫇽1$阱𞥄.x.𦞓().o.tcv\u004bcE[--c,--Y][--L][--l0,--a]=ዘ debugger;continuefor(var e,v;vበℭ70f୯,bgc;ao𰞠P5k𢗄fQ,tr1a5)var i𑖸g;breakif(aksue๎x࣎Kwp,D6eme𞅈)do var 𞹉𤼵V;while(𔎍y)else debugger;throw new u[l]() block:loop:for(;;);}while(a)
var a;}while(a)
var a;}finally{}