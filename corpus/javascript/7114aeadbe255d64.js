do for(D3().A3 
inr႕8𑼁󠅰E);while(𘡺H) var 𐒰hpPca;