function w0(){t
switch(kuUE){case lbaDeເ൯mG:pjfor(var t;V;x)var nl;}}