vb
block:loop:do kfe\u0054zF5=y|=Q;while(𞟦);