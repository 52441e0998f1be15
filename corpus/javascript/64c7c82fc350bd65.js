function NKeMc0𝟰(){ઓU4EGswitch(a){case fℂ𨳬:Yf block:loop:for(x[gnℓU𱉶] inWx𐗀r𝒻䱓f＿)for(𐫉zir𧤫QydRxDi𐱆uஃ.G1d 
in 𑀌y);}}