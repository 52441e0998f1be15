throw/[\cN]/
var i;