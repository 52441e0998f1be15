function 𲍿O$HgNkqS႒rh(){Kswitch(ᰣ𑲣){case 𞗭ූmꨀmPe:v
if(l){}}}