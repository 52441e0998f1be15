throw o8𪜀J𝟋 .void
var ῆ;