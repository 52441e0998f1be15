G
while(sbl){}