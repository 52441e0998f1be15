function La𑄂y(){w
switch(qhka){case 𣫪:JাX𥤚ၱ
block:loop:for(var g;r;kn𑒹𠇷){return(bz꘩v)}}}