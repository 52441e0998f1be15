do with(ﶒQ)var hm2p;while(hfu8)
var f;