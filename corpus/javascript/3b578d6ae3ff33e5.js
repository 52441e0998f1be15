throw/[\0]/mg
var Lbx;