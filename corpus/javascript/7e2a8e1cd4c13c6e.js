function 𐠊p(){ccu𔃽xl뾜懎y𝚨歷block:loop:for(v.c𑈑z58 
in
gfla󠄈);}