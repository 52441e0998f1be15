function auaS3ํ4x(){do block:loop:do;while(v);while(ۥ)
var QiެA;}