function x𤄅(){rw
switch(CJ𞹢svwWⷯ){case R꛱ogΩ:䗘蟜 block:loop:while(𛅧f);}}