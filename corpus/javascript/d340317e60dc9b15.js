wlL1Tdew
for(var mYeMB𝟣FIhlmgRi;;){}