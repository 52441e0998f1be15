do for(var Yh
in Eya)var AwwEb𐞺;while(𦴳)
var 爂h;