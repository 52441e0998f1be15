function i𧓷O𖿤ehtWTi3𪬆4(){b switch(w䎈z){case boﬞꨩaylbᷓvk:throw 𑀷 .훫A if(s2)return function(){};else for(var z𭢑=vᬻo
in m,ળ4𐖹𱢔)K𝔞gZ;}}