function uy40(){Hr
block:loop:for(b𑪝,悻;x,godmtS;_𑆀Xcb,frY){do continue loop;while(pngWਨ) var dubK,fhacu0kuMs𛱝26;u;var 𐕼 P𣀎b6഻v=h9n6ൿmu3;debugger
debugger;break for(var აv;𐔧hl;ༀcF);continueif(n,sk)do{return {n:--𭇰bbt0lk4FC} try{throw new nMd᳹y()  gckjvxf:continue;continue block for(;;)var gꙿa;debugger;break block try{{returntry{;var w}catch(h0){return﻿new u82Er𱳨()}finally{throw u .S𡮪}continue}continue loop}catch(c_s\u004ei){break}do;while(--Z𭝱)}finally{}}while(a)
else;}}