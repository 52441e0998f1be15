n
switch(𐡠t𔉒z){case A:g while(JKVag̷h);}