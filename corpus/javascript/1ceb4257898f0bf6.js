H[--pHˆ솓𞗮d].fீ𣮚ှs349PP --
var jಾ7;