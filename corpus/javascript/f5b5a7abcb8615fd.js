hxTL𑶘ylncￒ=r
var _𑌏;