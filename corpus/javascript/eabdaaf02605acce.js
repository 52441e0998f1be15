(yeglg𞹡rRe1𣬠v().𐕰3࠙5ୣ𐒠Bk3Fꘟ8᮫𖡧𐖡2)=L𑼂𗜤𝨻b
var To5c;