Fᰮswitch(琰){case 𑰮bCMhnf:R block:loop:for(𐌀ⳓIXm.ඖ 
in r_nM);}