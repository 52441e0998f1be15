throw /[\uFA85]/g
var lWۭx;