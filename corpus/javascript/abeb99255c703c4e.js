function Cty(){𐀼 switch(T){case S𞹝yx:OAl
for((gQ) in傉ㄅb);}}