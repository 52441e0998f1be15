function 𠽖̴(){l0 block:loop:for(p𑧗 in
gd᪻);}