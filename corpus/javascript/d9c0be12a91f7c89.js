throw new function(){}()
var 펙ᯬVP猴;