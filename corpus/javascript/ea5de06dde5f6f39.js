throw new[u,,--d[--a6༩slRn],]()try{do{do{var dl1=kh6h|=--zmui🯷l𑚸H𞡨Zk,Ѭ㶡_𤷗=Y var c,Yb;throw /*%.񸗯񎌄*Mm~󊾁9*󍕨	媙2t+􈾵󍪔X\.*o09vL)p0/s*@"I')W)h񑫺*-󢞲mu*󝺸T	M{🷢SnM‧*/(dx3𩾣s簞5sKU𔗗ob2zt,gg9)==vcefXnwKT()[--nˤ8][--ͺhk︯X,--Co] --;do;while(A𗯡wꫀ𑌌,auQtt) hm=g𐏑rsൢ;--wRA,g|=--YmPr3𦭭啋vj3,--tઅJ2,𠳉=--_,o3P𓭕tfn8t𞀉a,yᩝ8,kꌛ3debugger;continue for(var o47hewqQsvnfb᪘x殄xl𓄽_,cd1pt𭍢;ᾼ𗪏,vၐ;sK,𬤁q)var Xൊ;debugger
var a;}while(a)
var a;}while(a)
var a;}finally{}