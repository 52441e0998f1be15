p2
switch(f){case g:throw tSo;}