function nਾ(){𢹽wdVjF block:loop:do if(J)var ﻼ
else;while(o);}