R5﹎mvvh៧
block:loop:for(var coZx̺y;o,Aᩔ3XSg9Enx9ቘྻyY$Le;QHੋ_,ri𧻃ৰvrܽ){do{do;while(n)var 𞹧,o5;debugger;var Xcු  𑎉=f𥱋88|=騜6Rr𑨳Fv;break debugger;continue for(var t4;ॡldpיִ;se)break;throw new biiச薞rokts4M()if(噣gs,રHk𧞾)do var o;while(Vy𱺯ั4𐠼)
else continue;continue blocktry{break loop
switch(--l,ubℹ9r){case--Dl𣼪e𭿟f,--mꬖn:debugger sgyt3vpq:throw wd𝔹𨫑ੜ .D;debugger;{;var ந𞹙𪫽Kp}default:throw ! H4iwfor(;;)try{throwྈ}catch(a){}finally{}}}finally{}}while(a)
var a;}