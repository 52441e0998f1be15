function oktbu(){switch(en𞥐){default:throw (E).𪶿yැ̓႓debugger;d𤘅𱇅𑩛𑤾a8_Z7c$xᮺv for(var ᶾi,F;f0,is;n󠅝𱉚7,phrヿ𧕁kvQ)yꪹgCtₙft;break
if(v,pv𝟹_筸𑌳k)do{FCූh_𑓙l𞀆c}while(F6CuxnV8)else var e𜼤;return
block:loop:for(var Hๆ=ਸ਼𫥟2 in
i𣌵a࢙p,l)h1=fsf8x=ra𗭉ޱeq𑧗뷥6op;debugger
try{return (iq𱳉𖽕y).LS𓧐z switch(f,𐼧𩦐td){case--oL𝔊᭮:{;var d}return {get Ve(){}}with(--xಳ2u)returnfunction(){};default:case--tw:}do;while(ऽ𞗭𖭀y2k)}finally{}}}