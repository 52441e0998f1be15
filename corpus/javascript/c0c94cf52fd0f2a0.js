function hf3dBmg郎່ࣳu3_(){v9
block:loop:do if(Ҋg$I𑁆irfx)breakelse;while(𢈬EaiDrlJn);}