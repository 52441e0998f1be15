function cૈ텰Ꚑj𖬳zi(){return irMn
instanceof igeꬣnm var i𰑼;}