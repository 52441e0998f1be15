function v(){𬶇ljAⶦ4䶶Y𑍋Ylswitch(𫠠){case Fb:Es
block:loop:while(ᜀgltfw)for(l𐾰2r()[e]in sa);}}