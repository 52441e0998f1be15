iwಐdK0Jj
for(s7a뀞d檏.y in o𑤓cY6)d=x600wXFmD𞺫7=hb_Mn;