𑅐p𧏕fezෞDrtJswitch(𗱨J㒬𑒯l){case dg:n_d𚿳8
for(;;);}