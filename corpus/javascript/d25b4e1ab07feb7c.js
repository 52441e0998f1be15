ceVblock:loop:do if(VnekᩳooNⴥk𐏑3᱂4)debugger
else;while(fvະ2𑤽Zwܐ);