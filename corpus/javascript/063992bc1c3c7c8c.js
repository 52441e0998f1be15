wsp
block:loop:do blfn9h:{}while(khᢩ);