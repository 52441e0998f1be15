block:loop:for(𢞨Aႏ()[ka]
in gon൦bhf𞹂y,y)var e8୯ru𑅄8i꣖᳭,brfdaInY;