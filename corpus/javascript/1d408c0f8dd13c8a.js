x𞋀3
switch(ser0iMy𞊮vq꫁){case l3:𐳀SF while(w5);}