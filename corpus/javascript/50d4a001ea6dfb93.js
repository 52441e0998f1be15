do for(Lexເ9A;m91xCEs5𑰼pfu󠇑𑋟𖄞;𖬀){}while(e𐍳)
var Aug;