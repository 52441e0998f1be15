function Y(){v
block:loop:do if(vf)throw(C4ᢪc);else for(E;ਪ;o𑨾7𞂏p);while(穀𲀆𑏈);}