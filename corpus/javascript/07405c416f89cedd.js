throw　(bw𰌼)==뾋ꩍꫝ
for(rⷆanmhn𖫀>=u𠊻;;){debugger}var M9d믷on