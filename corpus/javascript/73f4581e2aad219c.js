function jh(){𓐯ﬀ2block:loop:do if(忋푬)break loop
else;while(𝛭);}