u᭮
block:loop:do throwꘟ=y;while(c12);