𑅐k
switch(𐀿c){case fkZV0ew𑯸y4pdfql:g8g𬆃jxt block:loop:for(var nBM_0躖nᝮ1𤉿okඃv۰m;OgI;xr)do{break}while(ng긣w);}