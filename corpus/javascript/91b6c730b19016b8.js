function t(){a switch($GexE9Q){case 𑌪מּd٣5s:ECo
for(var 낫𐖗t;t𖠀மg;mH)var nw;}}