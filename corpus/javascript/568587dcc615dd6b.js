function Cc𱍊a2lr(){h
block:loop:do imuctppxsg:{}while(ꧺ);}