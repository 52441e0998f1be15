ᴹ୕
block:loop:do if(ufux);else;while(c8W);