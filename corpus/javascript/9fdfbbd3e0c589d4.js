do flgbgyl:var ZAwwEb𐞺;while(𦴳)
var 爂h;