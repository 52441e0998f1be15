r71l౦k
switch(h){case nhV:vpd
of=gf6Fe𓀀;}