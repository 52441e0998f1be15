v帨 switch(mneᮭ𝑖){case tOs:xa
if(lC){}}