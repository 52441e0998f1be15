throw ! wkf\u00244b7　-- for(var 𦭪=t|=--𩬮0w9===--gm𑆼>>>--Mc!=--t䒏ꐽἕd$<=--t>--G౦!=--ᪧ>--𠫞f>--qy𪬎Ͱ𥓂>--CmwbsAvcL怺𑨳9po7摼Jׂcׁ셏!=exSb!=i𑼳7𑧠xצּn!=𑴉𭷰!=d!=Q!=A7recr!=Rꏠa𡼠!=a!=a!=a!=a!=a|a?a:a
in
a);