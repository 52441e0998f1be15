do if(pmoL𬸽᮫2G)𠩗𝆋
else;while(Tif2础6)
var ವᬹJᰒ;