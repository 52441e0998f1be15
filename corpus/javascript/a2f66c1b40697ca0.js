function tB(){ny
block:loop:for(var Xy,u;𐠊p,ccu𔃽xl뾜懎y𝚨歷;_t,lxg9l𫍕諁cfla󠄈)debugger;}