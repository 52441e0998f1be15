lZ𑱐xr𝛼
block:loop:do if(쨶bdyr){}else;while(Q6᥎𓇵苍stD43lU);