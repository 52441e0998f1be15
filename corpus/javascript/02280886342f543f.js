new 𥾚b𤘙xTL𑶘ylncￒ()[--r]--
var u𑌏;