throw new[ୡW,,function(){return /*/𝗹)򄣴t񉛶+y󎍱7򗷣	bI𚥦+n򦇬Y0/0<!򶇞퟿o񧛮/MM+򯞖iTe+𛞔+*n񗜦W$*|L𛫋6󿺣	񡘋^*t󑛅񁛩T 񌯌󇲪*/- --v*--𤮃𑜨3==--kh6h>--zmui🯷l𑚸H𞡨Zk>>>--ꩂO|u𤷗|Fp}[--fᾴIeﷻe𑒰lꢀW]--,]().Y58 +=ø()[--_𗎍].𱕬꘥6w𑏀𑻳--
debugger;do{do;while(J)var cw䃝Yt𪸼3=qၰY𑩘z|=dx3𩾣s簞5sKU𔗗ob2zt,gg9=SrBtn3l=vcefXnwKT,nˤ8;var W︯X,Co;throw /*󅤸*񇬏+‧L/*=eJ(O􉬰x8씾󼷭‪;򣥏/0󪗚󭼂B𵈼18j𺓃e*Q@*6򸪜%]򟞂‪EHfR󨔔򌎀􌽽򽆰	Z**xC0򯈩	𱿦*/(a)
var a;}while(a)
var a;