do with(𐀿){}while(q1)
var V8gk𑨺MZ;