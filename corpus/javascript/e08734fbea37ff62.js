void 𑌐xༀ
var b;