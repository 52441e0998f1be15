function n(){do for(var j in
𬶇ljAⶦ4䶶Y𑍋Yl);while(b) var D;}