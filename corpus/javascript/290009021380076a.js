function wٟyῬ(){P
block:loop:do return v𫝀uPvBs--;while(s翲yꤥ𠚷rrkP𬉂);}