throw/`/gim
var 팦y;