function i𑌀g3ps(){return this,G
for(var wwh,esL௯nؠ;HexgU1,𐠅n𨖗;hC1𓞘sekEpBE,꿡9᳨)ia;𗻚}