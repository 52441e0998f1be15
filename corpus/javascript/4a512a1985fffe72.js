function yeNve᩸ￊ𑁰(){B7ip
switch(h𚿻6_svkOㇰ){case P:an౯CU5tsNOedזּSuopi block:loop:for(YS;r;vl8ℊa𖿤);}}