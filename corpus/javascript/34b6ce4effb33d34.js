function 𐀼(){se
switch(i𞹝yx){case OAl:RQ if(f)var T;else;}}