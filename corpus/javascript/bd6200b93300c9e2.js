function d𜳵h႔𑍗y𨤠a(){joۦEe
switch(u1𡇪){case 㱚ᬅ:𥇝ieblock:loop:for(var Z㕦28;nwl1͒;cs_8Tx𩏯){break}}}