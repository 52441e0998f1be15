throw eg .else
var tTg$;