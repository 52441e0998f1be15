function akF(){C switch(iu){case dꢴ:C
while(A㠴훒iYy);}}