function gPr(){so
switch(q){case al$𑋪08ᥐb:yEi𜼔2d4
for(l々[t]in ᮮGq);}}