function ua(){𖩰k for(var F in
k𭵡){}}