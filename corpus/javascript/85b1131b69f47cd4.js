function hy2(){𢡱̾𑨊 for(sZzs().𞹛𮯠S2𱠜  in
pNEcͪ);}