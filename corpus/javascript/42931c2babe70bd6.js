function g(){return (m) / f6
var T;}