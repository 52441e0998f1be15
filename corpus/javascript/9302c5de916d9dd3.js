null[b]=uኵbh᳗
try{;''().Iᰨ𔕶ட獴ஃDS4.s2𐏏剛𑵅 -- switch(ーO){default:break
if(g𑚪irᾴ6iﻁ𑁆𝩏ab𑛓zx𪘀6,rsn)do{break}while(bo)else ㄯxூJ𱍊𓑕𪋡fŕ=ቘ᷶fWo;{debugger
block:loop:for(var Tᬄ=c invූ,c꘧ycwdྞ)do do i=--H𥋍6𜼭v;while(--𠝁,--y);while(--ZfKh);;throw new c.Z83()try{throw true<c switch(--p᥆𧸌I9𦂕,--W𖫲){case--nI8QD57pe3E:var lt𑄿;default:case--h𠁛ᮠᚋ𞗺t:}throw ! cdwith(--𩪪,--g7)var a2𝨐afꧾzrkv𬺡;do;while(zS𥔰lyl𩐉𪯵)}finally{}}}}finally{}