function z(){Zkl
switch(mxQ){case 𑌪מּd٣5s:return''
of=x鄙;}}