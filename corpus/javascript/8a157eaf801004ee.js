Fl switch(鉖){case xelgvMf:YvzYgSif(pౚa)var i
else;}