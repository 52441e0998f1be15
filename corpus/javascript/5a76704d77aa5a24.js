n3𮤅o switch(ca){case yØΩᙬ࣬g:dE𑰳
block:loop:for(xl𨴞z3k;i5Duqfu;lBs){break﻿loop}}