do if(Z𧺢𪹖w9)break
else;while(a) var tSK钨ZF়𑴺;