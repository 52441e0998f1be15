סּit2𑐨tswitch(yh𐖱q༙tHJࢇs){case _𫿝gd𖬰k9iuᏸxF:L𑒀
for(𐡠t𔉒z.C in
n){}}