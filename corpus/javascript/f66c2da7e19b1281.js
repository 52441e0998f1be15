v / 𝒩
var 뽘𝜶C;