function cx҅y(){y
switch(o){case ڏዟ𑵪u:Klo4s  of=m;}}