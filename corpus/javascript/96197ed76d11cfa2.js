function evr𐏈(){siDJdlu𪯘
block:loop:do ypsaou5:;while(tYktCֈ3);}