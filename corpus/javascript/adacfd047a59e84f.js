O
for(var m𑎐𐺫in
pl)j=ef|=ID;