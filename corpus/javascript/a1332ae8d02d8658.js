xN()[--tpࣜAmfັp୕].𧶎H1 --
var Y7rlUwᏵ;