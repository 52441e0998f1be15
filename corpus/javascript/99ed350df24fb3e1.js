A
switch(o){case hවl7gvMf:YvzYgSif(pౚa);}