caRp7otoQ
block:loop:do with(l5ެ)var l;while(pC);