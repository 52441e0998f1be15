throw o8𪜀J𝟋 .if
var ῆ;