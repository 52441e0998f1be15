throw/(?!)/m
var 嗧;