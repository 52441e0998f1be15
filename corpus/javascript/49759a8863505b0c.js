throw n>>>=ytr
var tऺ;