throw /(?!)/img
var 횱b;