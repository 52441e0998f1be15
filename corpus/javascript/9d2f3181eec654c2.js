function ci(){switch(Q){default:debugger
block:loop:for(okg𠹊𭰀MI𞗭[V] in ubu,en𞥐)return (E).𪶿yැ̓႓;{break try{;return
with(--f2,--zᮺv)var v𝪟;return {𧜌云8:--ഄ4Grl} switch(--H,--mkvQ){case--y:var jጕ;default:case--Tt:}do;while(Z)}catch(vo){var m}finally{return [--𐤕b19᳐]}throw new l_𑓙l𞀆c()}case F6CuxnV8:}}