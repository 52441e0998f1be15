throw﻿se^=Lῶfdew
var mYeMB𝟣FIhlmgRi;