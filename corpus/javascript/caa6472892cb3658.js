throw /[\-]/img
var vహQⅎlt6;