function do𑲒yc(){𮃷k3𑛕xi𖽗Xrꦹ
switch(zfN𖫐7𖩨w){case 𥷒𫕊ꢁVM2m:dvG႒v while(e𑧔){}}}