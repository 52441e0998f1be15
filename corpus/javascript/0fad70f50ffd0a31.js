throw of--
with(kiy)throw/*񊦫j򋲪0:񙐾6􏿿1fx	󑍎*%-񗯂𬞘‧@*MQ>o/(h􎃛L)@1n=/+)l)񛆬󣅾񜆂𱵡b*H󆆷"񗧴R+񌳴.򒂚 */'\ 񎠫\0'[t]^=ꩺ;;debugger
switch(a){default:debuggerfor(var 𱼅𮪣,𛀵;p,M;l,uT4៝xa)break;𭨮Y5K=Aw9;break if(Mc,s)do{var $ \u0024=ⶰ6;continue for(var CmwbsAvcL怺𑨳9po7摼Jׂcׁ셏,exSb;𑼳7𑧠xצּn,𑴉𭷰;Q,A7recr)throw f𡼠>>=iᩔ;new LcF[--P𞗺r𥯵E鹅k𞀣𧒍8i](--U𢷹)[--nwᬷ].else&=h𘳿K1yzk𑀔=𝝹 if(𐠼,xo)do{break
block:loop:for(;;);}while(a)
else;}while(a)
else;}