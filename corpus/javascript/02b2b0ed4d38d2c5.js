function t(){a
block:loop:do for(kw뤃;k;NR94𑥙);while(oZ0);}