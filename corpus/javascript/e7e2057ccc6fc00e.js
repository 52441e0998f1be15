wlL1Tdew
if(mYeMB𝟣FIhlmgRi);