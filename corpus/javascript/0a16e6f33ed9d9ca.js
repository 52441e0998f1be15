x\u0024[𝔞DgsS]=dr𭚮khᮭea𞊭 try{--k|--_ꢂ^--lfৗD|--s|--bec|y|듣o්b|s𱛱7v|𞹗|Wpnv𢊿B4|$a𝔅|o|a|a|a|a?a:a
var a;}finally{}