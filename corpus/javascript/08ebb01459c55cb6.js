function က𑃵(){do for(oabp্bওa.A1ℹ𖩤vCⶮY䶡q𑊊p1𫠠 
in
l鷧)var u;while(j)
var fWtfw;}