function 𞗭ූmꨀmPe(){v
try{}catch(bau\u004C){}}