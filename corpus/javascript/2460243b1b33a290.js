throw new r[ܐ6](EsU𥪋็=ah)()?j5:bkmif(Ld,l)do debugger;while(t2Nf) else aum\u005FY30=cm;var tn𞗵8‌JyJ,lU5
block:loop:for(var pA5,𖬀y;ೡWugdaxOmEw,b;D𮡿𒐓fXg𐠀x,eꙻ)do do cT=K=oޭ;while(𝞨l,u);while(V໙x_P3);this.a9.𐽰𑆂.for._tc\u004co2E.b鵠嵘哅jD.L.𠧪ˠ𑃰j.y.ⅎC𑀁.𡮣.J.vኍℼkD7簣6ོ.ꘐ9.u [--e5k𢗄fQ][--acO꙯K,--h][--i𑖸g][--E][aAg][u𑓙sue๎x࣎Kwp][D6eme𞅈][a][a][a][a][a].a [a][a][a]=a
var a;