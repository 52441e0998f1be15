function ee(){v
switch(l){case d:w1𐒢𫷘1bif(d){}}}