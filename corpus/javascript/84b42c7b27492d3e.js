function vtcksg(){return[].m𑵥--
var u9R;}