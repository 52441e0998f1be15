throw　0xC||𝝐for(arr𑊈At
instanceof
𩡖;;)switch(mo𦸫){case i:}new function(){do with(btkhᮭea𞊭,e)((yuaૢ𞂏))+=--Aqℨ𑀷_ꢂ;while(lfৗD)}()[s]-=ic