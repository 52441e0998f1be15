throw/[\b]/im
var v︳;