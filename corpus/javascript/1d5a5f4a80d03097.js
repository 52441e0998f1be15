h switch(𘪠9){case p9GA:iUmZt for(c𞋯ꥍ[넌YwO]
in 𛰀xv,g𑤵14)rnfv;}