Rblock:loop:do if(qౌ𞀀b)continue
else;while(𐳀i);