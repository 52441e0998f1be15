𐓓 switch(dm𭔧n𖨸m9){case Gc𑁵o଼I0h:fെꔀif(yg)break
else;}