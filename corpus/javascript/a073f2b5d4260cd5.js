Yswitch(rh){case QK𐋐:ZAwwEb𐞺
block:loop:for(l;ߵ;f𤱢){do;while(𓶨2q𗾀kゝgຣrFM𦝶)}}