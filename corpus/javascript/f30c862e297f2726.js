function y꘩v(){do ax0xzt:;while(Y)
var 𬤃fevpC1;}