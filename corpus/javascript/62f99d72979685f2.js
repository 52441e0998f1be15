function P(){cMe𑍬oeok⁔𝞴6
switch(j){case k:iU᷌k
if(Kmkv);}}