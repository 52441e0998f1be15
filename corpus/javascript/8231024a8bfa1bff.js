do for(var ߵ in 𤱢){}while(v)
var ೡ3;