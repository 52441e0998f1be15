do if(x);while(j𐁐c༵e)
var lೕhaA8𝞈𐡶;