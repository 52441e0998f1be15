do for(agmੵxVⴭ().S in evrͿe8);while(wsp)
var 𐍐e;