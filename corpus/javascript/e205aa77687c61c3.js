rn^=U𨻧for(v𐁐ꧺo instanceof
li;kuⷠ,dM;Ynᙬ,𲆪𝟠)throw new nU𞸲yᲺഃ𛅐𜼭vCh[y]();debugger;;debugger
try{do;while(r𑜚Cob4k)  ik90ku1sv90c6:debugger;{(w[oe])/= ddቈwith(v恏𣶫ip)throw '=\A\0'>㲈ੂt夦Wy;++滺𖫭cbru𣒱||--p0jx3&&--uf𑁴tꤊtf7ൣg||--u||--okovx||𖭣uL7𧆅||𫲪𞹼gbℭs||Swۿ||n6𑊝||𡽧𓰾Rౢ||Y䫏||a||a?a:a
var a;}}finally{}