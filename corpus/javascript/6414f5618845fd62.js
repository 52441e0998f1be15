do block:loop:do{break loop}while(bg𑏢);while(cLgaP)
var 𧩓7wg𝩝𐨿X3𘕙pIꬮ;