bUxyrh𱻨1𛅰p
try{}catch(of){}