do do;while(B𑖸t𝩵puw);while(lZ𑱐xr𝛼)
var 쨶bdyr;