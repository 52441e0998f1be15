function km5crK1(){ਏcu𑎐a
switch(C){case G:𖪾ྗblock:loop:for(var nn;Y;yOcV);}}