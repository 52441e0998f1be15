throw/[0-5]/igm
var dJ;