e
switch(ZPs𝩇h){case Oｚdrew:yS〵9欇n3
while(p){}}