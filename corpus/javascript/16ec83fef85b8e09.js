function xfK(){w6𬭤4rblock:loop:for(eৢV竣𑆳 in
wo);}