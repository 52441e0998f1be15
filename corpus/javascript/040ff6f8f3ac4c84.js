v഻𔏕my󠅱꙯w
block:loop:do with(hՙCkࠀ);while(Y𤚇콨k۟);