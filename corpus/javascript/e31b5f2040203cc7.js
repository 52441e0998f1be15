𐠈v8v
block:loop:do if(xW)var whfHki〥론ꠢ;else var ॡ;while(dkt𝩵puw);