new new 𧶔1m
var 㙆;