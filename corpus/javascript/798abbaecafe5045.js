function oZ0(){o8e
block:loop:do if(〱5)var pbﬞ;else var ln;while(𲁔ysx);}