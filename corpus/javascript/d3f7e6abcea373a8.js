throw 0.E-2
var rG󠅀kg𣞭y;