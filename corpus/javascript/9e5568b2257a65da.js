oes
block:loop:do if(lH21f)break else;while(ఒ룿tPhqv);