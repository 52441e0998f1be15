throw new[,y().𑇚i0𞥘D⃫𠴼ᝲ9tਲ<=dw()!==new G()[--ky5𧘈sfvh龭iW𧤝1_h] /*󸫎>󟊬𳽂i	s**1.𽩘󖕅L񥋬‪W󚽙%l󕰗󒏜D9񥫪t𫸣𕻘/$s$.l9*i	f􁩖񎹢/K&)b񎭗I񜊖󊦚򐨱Z~3*/++?iE𝅲ubgo|=e()()
instanceof
new new T98X.Lಁ7ᮀਲ?nyk=new r်()>=function(){throw/*‧X򚞤o*g]FMii09W򩲼#󕘵]󰲴񍊖yh񟦿򀁮N퟿.8‧􏿿0i0𙫞6.󂰂Z*񰜘l|񝲱)󧨌󑝋𠢊%+5.􏿿"󂭿򮖿WVj*/piw}?d
in _n?in𢂹?--yCbhh⃡vlPૡgᤠ?--Cocbd1ༀ:k=--r𞥄:dㇿe|=--Pi0:CY釈Az:a:a:a]()
var a;