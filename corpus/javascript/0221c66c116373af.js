function 𝝰U7שׁL𑌾f્c੩5b(){k𣍶block:loop:for(G7𑻶󠄉8T,az;ᦫ,su4_6fvnቘd࠙5;s,G൯){tF
with(g࡛C䤨)if(eovjmt,fex)break;do ispcp9vp:switch(cZ,sꠁe){case --x왡,--emsqs:return function gv(){}
for(var D in --a)debugger;;default:case --ꖽK_:}while(𨦁ூ)}}