ଐs𛅕𐒰𞓮hg switch(y别){case scUk:Y𓑀wyg𲊓
for(var iin
k𪝜);}