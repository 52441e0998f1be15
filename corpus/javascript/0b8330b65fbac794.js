function g(){𩏴
block:loop:do if(n8⳱Q)debugger else;while(A);}