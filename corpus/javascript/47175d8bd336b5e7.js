function 䎈z(){boﬞꨩaylbᷓvk
for(w().ଡ଼H𑁆 in 𧥋);}