y뤱t𖮏a𑖮Pmblock:loop:for(𐠿().闘𐠷 in
凾vR7𜼅);