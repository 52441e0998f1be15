d
switch(aB⃦𐵃){case tC:xkb
for(y().ຊ𥗆Iំ in LಾkApap);}