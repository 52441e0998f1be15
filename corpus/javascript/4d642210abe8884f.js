let switch(hoLኍ){case 𗑟L:aukfv
if(l𡖱b)gΌnP else;}