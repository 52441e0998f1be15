function k3(){return--(Rro)
var n;}