true[yh]=sT try{debugger;--zઠ3𞺀l in --𐕼tfꠢᤞ᳨yi>>>--𑼄g𑍄p
instanceof
--𐝠p>>--t>--hyt<--mt<<r<=pd>=cn𠒬>Cx8>g>𰀭rF5wsP>똞Qr𑚔𝟞藧𜳹lG8>kr𘐜hai>sࠫ7eઓKnp𑐷yꭣ𬠤L>=aK==x𑴋ಽ?Awk쐄2ਨ8𑛡ᦀN|=it:J|=kv
block:loop:for(var a=l
in
뵗,q)do do fi=y=kꙵ𑴼y1்w;while(C𥨈oֈ,P);while(𝜷);--i鷗<<--뿔g+--Va꧴>>>--𱬗uS𐫥sn>>--HCT嗑Z1qr1োlﬗrUrh𑥐4- --𐔧83>>r>>𑼂3rh>>sas>>I>>l>>LbX>>ᲺWⷥc𓟩n>>gූ<<aoinͷiDfK!=a
switch(O){default:var Hh,a
var a;}}finally{}