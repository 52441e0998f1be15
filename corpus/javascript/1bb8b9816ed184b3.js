W6
block:loop:do if(n)break loop
else;while(ຄ$v8𫬰);