do if(pmoL𬸽᮫2G)var 𠩗𝆋;else{}while(kif2础6)
var ವᬹJᰒ;