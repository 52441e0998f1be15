new function(){do with(_e⁔,wm9l𑱙43n)debugger;while(xLy)}()[fd]=G︯fZ3𥣝i舦
var proU;