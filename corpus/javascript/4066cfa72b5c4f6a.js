w𐦤f𐒎switch(ibEG){case 𗮂x4j:bUxyrh𱻨1𛅰p
do;while(ਨ႕dh𠯒1ଗK);}