~l
var j꩘KQ֩;