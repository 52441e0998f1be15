졽፟xi.ˮ [--𬽺Q9𓾉]--
var x;