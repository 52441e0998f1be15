ॡls
block:loop:for(kl().b۟𑠵𝅲𠖬G𐫦 in lpubd);