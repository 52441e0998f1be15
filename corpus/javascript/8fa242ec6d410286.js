R switch(gl𮜉𞺥dn࡙){case bv6:쏶9 for(var 𢪢
in s𓐯憯iwGutuB0aSvx){}}