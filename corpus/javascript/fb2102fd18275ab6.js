typeof k1R㛠냏
var krw𞀈𮭠W单;