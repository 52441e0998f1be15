function nnedTy𑨺u(){ks
switch(nJd𧨭m){case OyMgZ1kiZg:q𑯱𑇚ຣd9r𑦠
for(var 芗꘠47;;){}}}