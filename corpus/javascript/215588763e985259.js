r[iHw枹]=si
try{;+--g%tq3$ꪽ<h32!==e?i5S𥚱=hh:pw=Fg
switch(wlVsm){default:var 𐎠,𞸤5f0𐬵
var ㆰW,𤾻d;xl𑤉nnkOl8W𑼀=bw0ⷢ;throw (u)<c debugger;(g().𱫥4ᓖꥇlO躷E2𑴿𑌐h) --*d>=gkfor(var w𭮴ኾ,ൿh;𩊆aa𖵬셟eaેuvஞG𭑊Ak4d𑎿𧎤,grxaa𝟄6;oxI,ac𐎝)--uv𑎋𰏷te⁔().쮮Z𑛣𖪾WRްऄ支丽<=d$;debuggerif(𥣝i舦,𑱲roU)do{break}while(𓾖lᄆ)
else var td0J;break
block:loop:for(var y=𔌶vxtyf幍dSU9𑌾
inuA,j$o𑆀)do do jc=e=--Isnma𑽐vyo;while(--f,h);while(a);}}finally{}