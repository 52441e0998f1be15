function cZ్m𒓝𩝈(){mOw if(yႝlhygౚd)throw''
else;}