do for(i[n𑐺hߵ󠅡d9t᷁ໆlm𐍵8c5ऄ4]in
Dl){}while(R)var 㛸8sts;