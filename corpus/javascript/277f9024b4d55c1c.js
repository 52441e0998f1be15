function iׇ(){𮁤l
while(𐨓kf){throw! K}}