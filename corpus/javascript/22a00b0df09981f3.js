function BomH6OikើZp(){fh㢍MC block:loop:for(ho,𑌏w;ࠀgJ9K,ಅ;k𧒘k,i5w⃐𝔔){do break block;while(FOײ〪𑪝)
var h𣐈odmtS,u;ce;var 𐀍rY  kb_\u0056G=sPubK;debugger debugger;continuefor(var 𔏪e;㺋U්;g);break
if(lc഻v,O3lOౄ)do{return [--w8Vyꯢlაv] try{throw new F()  jyfogcwhr:continue;break loop for(;;)var n;debugger;continue block
try{{returntry{;var rJԈ𩻬lMd᳹y}catch(d8){return﻿{get''(){}}}finally{throw unwpX2p𧑍x .w3Fu3K}debugger}continue　loop}catch(a){}}finally{}}while(a)
else;}}