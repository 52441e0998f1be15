switch(k2hXcු){default:throw new 𑎉()
block:loop:for(ldRr𑨳Fv()[Tꑏs𨄁]in iGwmאr4,B)throw o|=𫠉e;throw function Wo᭲pr(){}
try{throw(𬿂4M)switch(噣gs,રHk𧞾){case ৎ0ྍCr2i𭤩7c:{;throw--ａᤣ૧with(--𥞞𭣜bℹ9r)var iWd;do;while(--𭿟f)}default:case mꬖn:}var hgixJU4}catch(jp){throw! 𐫇}finally{debugger}case pCc𪣎x𪫽Kp:}