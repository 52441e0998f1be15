sKPු8m
mrx1gsq84:var nde;