FlfyRT
block:loop:do if(bcb𑧑e)var vw𥆒𑼃yடk;else var r;while(O);