function B𞊭(){r
switch(Jn){case y:Q if(wn)return
else;}}