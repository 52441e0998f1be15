function ޱ(){𦤣b
switch(cZ్m𒓝𩝈){case mOw:debugger;}}