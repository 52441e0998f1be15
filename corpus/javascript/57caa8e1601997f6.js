yb닔e block:loop:do if(uk)throw''
else;while(geh͚);