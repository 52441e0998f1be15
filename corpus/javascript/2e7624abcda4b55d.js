𓤑qap9q$Chem𐫉𛂒
switch(Msdେ𐮑){case x:g block:loop:while(s17𖨸m9)switch(𑁵o଼I0h){default:cfor(var yపೝῐs𫷵𫴗1
in
t𛅕𐒰𞓮hg)for((lk)
in --Ob9g𲊓){continue};case 𐖡:}}