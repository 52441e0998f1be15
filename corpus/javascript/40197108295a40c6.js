xap9q$Chem𐫉𛂒
switch(Msdେ𐮑){case x:g for(var dm𭔧n𖨸m9
in
S𑁵o଼I0h)var 𐫇;}