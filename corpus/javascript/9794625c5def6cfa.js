throw cn୯ru𑅄8i꣖᳭/= brfdaInY
var y;