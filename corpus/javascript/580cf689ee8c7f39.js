wက𑐴hV switch(faH66Fe𓀀){case fr:I for(var n𰑫𑨻𰈃pdoᲿR𖄤s in
𘁮8𢯀);}