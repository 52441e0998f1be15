function 𞹪m(){do for(var ku in e)var rktCֈ3;while(m)
var c🯶Hoyevvvu荲B9vo4;}