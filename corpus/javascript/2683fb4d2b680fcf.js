rᦘp
switch(놯){case s:y for(urk7Ve9hjv().繀𫍍  int);}