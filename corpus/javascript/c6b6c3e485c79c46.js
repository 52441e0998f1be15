function Y𑐵(){block:loop:for(W()[kluM] inSn𐻂vRⷠc,l꼄df𑅅xQ𞋬L1)do do{do;while(g𑧑e,vw𥆒𑼃yடk)var O,c;do do do return {get C(){}};while(--ufux);while(--c8W);while(ॐHg⃰);throw (t4W).xˬ᭭q8𑲩𑘴6𖄅𬔕𑘿Z𞸷47𞓸  𦫻kⶾˠy2PinekᩳooNⴥk𐏑3᱂4=eဿ;break loop debugger;continue block do--Reh͚;while(--ks,𑈿H21f);var I֚𦽯qvif(--芋𞀀b,E7)do var tha;while(--e$oያIxٟhℕࣣ𓗍r2ཱིvHk)
else return;break
try{debuggerswitch(--峹co𓂄){default:return new a()
var a;}}finally{}}while(a);while(a);}