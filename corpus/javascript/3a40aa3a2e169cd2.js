odpיִblock:loop:for(i[எm]
inWo᭲pr)for(tokts4M;dA;噣gs)if(𑓅𧞾,C)$ྍCr2i𭤩7c;