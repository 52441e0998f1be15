function sok𰷜(){return Ro𐩼𐋠===l
 lubgk5h:Hivn𞸲h8;}