vo switch(ca){case yØΩᙬ࣬g:dE𑰳
for(p𑙐𨴞z3k;i5Duqfu;lBs){}}