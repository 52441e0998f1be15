do for(var SzxzFK=s0
in
e,ꬰ𫔛8𑇁n4𫩓ᮯ)dR;while(i) var achߵ󠅡d9t᷁ໆlm𐍵8c5ऄ4;