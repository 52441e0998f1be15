do do var u;while(aὝౠ𩳜moL𬸽᮫2G);while(𠩗𝆋)
var Tif2础6;