function 𝜔gOp(){do while(lk2);while(y𞹴)
var gc𑥂79kUk4p;}