function p(){txem
switch(ꨚ𡺭){case yｐ:ydo;while(wn);}}