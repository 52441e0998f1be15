function l鷧(){do with(iAᜀgltfw){}while(gpࡽnႠIbPP)
var sa;}