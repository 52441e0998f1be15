wsp
block:loop:for(𐍐e.𓨹  in mᢩ);