do for(var QK𐋐
in y)var rp_d;while(h)
var l;