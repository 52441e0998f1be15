throw + of-- for(var 𣶫ip=H=𫗿d1Ͱ𮯠
in 𠒝,𩣋ِੂt夦Wy)d%=ub𤈧𫊮滺𖫭cbru𣒱;var e,vx3 for(ꤊtf7ൣg[_] inrvx,𖭣uL7𧆅)(ℭs[Swۿ])*=𡽧𓰾Rౢ;{(r,Dt𞊐ཱ𖾒p)[U禄B6](r46)[kd꠆y].z0-=m𘴈5;var f푵ၦvU駴t
 za\u005Ao3c=c|=𑧣b꧐kdvEe;debugger
debugger;throw (GVc)<yydo--Jvv||--QO𖵷ivpXਓdະีrM&&--_||--vGifA||--WI6𝅻5||Fi4M||ፚgI||ra󠄙h||s8ៜw含Xi||b𢁃||𐮑𪜀p||a||a||a?a:a;while(a);}