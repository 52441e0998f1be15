function bxY(){𰡔u
for(apNX.𦿯 in
b);}