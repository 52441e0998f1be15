function s1b(){eಹOMe𑍬oeok⁔𝞴6
switch(j){case k:iU᷌k;}}