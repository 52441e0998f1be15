function Z_nwpX2p𧑍x(){qgs
for(var itkeࡠ in ei){}}