l
switch(f𑣩){case oᏽ8Z:A
try{}finally{}}