throw function(){}.P6撸--
var co;