function 𞹋xik(){𣤈p switch(r){case T:w𐦀ײַHtsdCẍ
block:loop:for(var x in hb);}}