f59
switch(B4k𑏅7fs){case h:𑫕t儗2
block:loop:for(𑨀s𐿶fS;wsꣻwg;eDcgtghu𑘰g鉀1ࣱ𖵬E){continue loop}}