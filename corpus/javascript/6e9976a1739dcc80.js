throw eg .catch
var tTg$;