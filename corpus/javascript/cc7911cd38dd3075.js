true[𱬗uS𐫥sn]=ltry{--Urh𑥐4|--g83^--r|--p3rh|--sas|I|l|LbX|ᲺWⷥc𓟩n|gූ|S𑛘KM|䶿ᦰ1|a|a|a|a?a:a
var a;}finally{}