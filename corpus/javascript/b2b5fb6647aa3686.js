r71l౦k
switch(h){case nhV:vpd
for(gf6Fe𓀀[fr]in𭽗u){}}