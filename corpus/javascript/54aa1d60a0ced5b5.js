𓤑qap9q$Chem𐫉𛂒
switch(Msdେ𐮑){case x:g  muslavtcfyw:var Gc𑁵o଼I0h;}