function k(){iU᷌k
switch(Kmkv){case 𞗭:Zb5𱧑𓤨a󠅏9닙t if(bÖ龎4)K༷lelse;}}