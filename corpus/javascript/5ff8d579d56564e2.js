function Sy(){do for(rin
O𖵬2as);while(m) var en;}