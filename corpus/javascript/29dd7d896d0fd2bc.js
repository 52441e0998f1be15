function koi(){𫜹677
block:loop:do if(u)debugger else;while(x);}