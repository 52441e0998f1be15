m𑴶wntUf
switch(tx){case mיִ:𞹉ub if(bex𖄶n){}else var Q;}