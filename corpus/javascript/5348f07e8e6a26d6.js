throw - ﬓrss2Nf[l𐖒]
with((𝒬m2[--x]) --,Rslrn𞗵8‌JyJ.l[--l5] --)nm=K𞣐()[--NM] --;do var u឵gb;while((R1𮡿𒐓fXg𐠀x()[--eꙻ]) --,g6()[--黄્OT].r --)
switch(틝m_[--xi໙x_P3].s --,w()()[--t] --){case 鳗[--i] --,function(){}[--k𗚨or]﻿--:do break;while(o꯹5,t1vgE) fb=kg𫒔=陃cN𠳂S𑴶2;do if(𞹴,c9k)do block:loop:for(--lk,(ኍמּू)>>=--eh0f୯,C.𑎎025𑗜𢖺8ၡsIℓ欲𐣠=bB().XB̤a𝩬༠𓰒󠅼噯S꠬ᐨ/= --𗕈,--x𤼵V||--sⷘጘBMpt&&--xg|--𰡃A𫠠5ev鍇^--a||--a||--a?--a:--a,a,a;;);while(a)
else;while(a);}