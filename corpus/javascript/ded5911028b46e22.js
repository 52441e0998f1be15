ᛮH
switch(pI){case 𥺓86:䭾ohr𐭕g for(var pNtnMª𑇎Sjxt4Sokt𑏇 in
dbJꥉ){}}