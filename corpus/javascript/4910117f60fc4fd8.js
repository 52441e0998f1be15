throw function(){}.JJ=B𡬅w
var m8;