function f𗠊𡣥jhꟜ(){switch(fv𦦤eา5WeY){default:rWRge4ixC
if(bha2𢋄1,𔏺5)do{do;while(sp֚X)}while(setଃIu)
else var rU𤷝;debugger
block:loop:for(L0[Zpՠ7𞹗6hf]
in ৼfࣉﷻ𑎷_,kfBl)return (enX䆝ꙸ𖩰).SꟓS4ꪴ𣄂𢵒𝆈ೡ𑨾앐;return
try{breakswitch(ci,Q){case--o়o:{;var $}return new d𭰀MI𞗭()
with(--ntbu)return {get 𭹻OI(){}};default:case--𪷃zc:}do;while(ઽ7X⃜)}catch(it){return　[Z7c$xᮺv]}finally{throw﻿new 렝()}case i봊:}}