function al$𑋪08ᥐb(){do if(yEi𜼔2d4)break
else;while(l々) var LD;}