function I𑀂0tkaﬀyಃcos𞺫䮲(){Cty
switch(f){case se:S𞹝yx
for(var cAl
ino){}}}