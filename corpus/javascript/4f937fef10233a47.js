function 𑀃e𫾻2cT0(){do block:loop:for(var w𪳣𫾦
in SChnyM){debugger}while(ph꯰U6) var Lih;}