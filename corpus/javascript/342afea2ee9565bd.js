do if(춷8)continueelse;while(𧎃)
var dOp5;