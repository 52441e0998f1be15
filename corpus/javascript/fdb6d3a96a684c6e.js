function N(){O
block:loop:do iey\u0024a=$;while(eoR);}