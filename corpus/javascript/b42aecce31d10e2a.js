y
block:loop:do vo0vezl:{}while(xHi𱮞);