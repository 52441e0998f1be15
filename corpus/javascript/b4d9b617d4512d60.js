Eblock:loop:do if(X)mcCad
else;while(n);