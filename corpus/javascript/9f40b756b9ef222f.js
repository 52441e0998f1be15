function ys(){𞹛𮯠Kc
for(var 𱠜 in
pNEcͪ)of=𐔻=_eK;}