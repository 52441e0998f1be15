throw/\u7fAF/igm
var Av61xiz2c𲎊;