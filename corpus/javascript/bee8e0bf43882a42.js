lo5
for(var rincc,l)U;