function 𑣟𐵬𐌟(){kcw鉿 switch(c){case ড়c:ꣷekV4for(var l
in
p);}}