ਨ႕dh𠯒1ଗK
switch(n){case f:N6G;}