xr
switch(up){case hjmv:Nॐ
block:loop:while(gR0butw)for(Ay()[a]
in
t𱁷𞋀3)do{--mᰤyॏmੑ3Ce}while(hF);}