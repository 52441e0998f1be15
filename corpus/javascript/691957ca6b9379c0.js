do block:loop:do;while(f);while(q1)
var V8gk𑨺MZ;