𓷅g𜳵tUf
switch(tx){case mיִ:𞹉ub for(bex𖄶n.ߺꞋ0ුେ𑄻UG5M 
inSyf)var 𞺥dn࡙;}