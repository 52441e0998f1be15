-cg𑜷dp
var vL;