throw typeof fັ[𑤘l𞹋] try{do{do{do;while(l𥪋็,ah) var dj5,GaeﮖT;var U,nﬓrss2Nf;throw (𰻦8hosm2)==yvu8‌JyJ[--lU5][--c,--H] --
 j=e;this.za.𭡖ーTC.in.ebb\u0042uFp.S.s.W󠄑.猻4f.䯹𐖼𑁵𗚜7𪛟𝒜93n𐅀b.sⴥ6I.ァ𐨐𑗘.𐎝().r8.while[--o7L𞊮,--c9k][--e鵲嵬࢛ak瑝A][--øhk,--l]=ⅅb=s鑃𮭆
debugger;var eh0f୯for(var my,wP5k𢗄fQ;t1a5,$𥉤𑖸g;MAg,u𑓙sue๎x࣎Kwp)debugger;breakif(hh୯B0ྈDpⷘጘBMpt,l)do var A𫠠5ev鍇;while(hwℹyp𩚦) else continue;}while(a)
var a;}while(a)
var a;}finally{}