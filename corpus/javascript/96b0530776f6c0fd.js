40.5E+0[𑱀]=htry{debugger;--lᢆ𑎽g1_ಪ^--ct𗘛Wo𫱔Jf&--E1^--giΌᱚ纸𖩀th^--gur5Y^Ҋu𑲒BKⱤp^lઽtm𑇎^e⵿RxsBv^y𑄫R^yuniibSmdૺ埲4᪽L^sⶨ^𝒬wu8^a^a^a^a?a:a
var a;}finally{}