function yｐ(){yswitch(wn){case do𑲒yc:𮃷k3𑛕xi𖽗Xrꦹ
do;while(zfN𖫐7𖩨w);}}