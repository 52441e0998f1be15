do for(var g8Bin
mvCw);while(f)var r𐀀i𐠀fu8;