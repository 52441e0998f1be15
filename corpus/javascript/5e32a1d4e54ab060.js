throw﻿tL?$ਫ਼ᝓ:𫫭󠄠09fH
var p;