o
for(var cGin
Yx,od)H;