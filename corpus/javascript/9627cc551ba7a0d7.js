r
var _𑌏;