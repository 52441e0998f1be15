ᝑ𑜫tblock:loop:while(g,ퟋ𝛼bc6yeۯt𑱙𑨅x9){do{do;while(fVtu3) var yn𤃟v𑴶𠕨c,d;break;var X9GA o7=c𞋯ꥍ;debugger debugger;continue
for(var nm14;rnfv;$mm)var irZ;throw new qelgvMf()if(xYgS,𪈁ౚa)do try{break loop
with(--𑫸6yX)debugger;continue block switch(--t){default:break du3xsxovgnktsv0cwgovng:continue;debugger;{throw function Lh伦a(){} try{;var a𠛶J56𑇚mG}catch(f){throw! --ft}finally{continue loop}break}}--ᗥ for(--𛊒;--𥣣t;--y6𩩠𑍴IYJ)nv8pyllw:for(var a;;);}finally{}while(a)
else;}while(a)
var a;}