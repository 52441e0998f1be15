function Tn𑒹𠇷(){do block:loop:do;while(wnfr);while(y꘩v)
var w;}