function pbﬞ(){do do var ggn;while(yysx);while(t)
var K;}