IcC9D𑥐怑n
block:loop:for(Ⴀpm in zpdm_);