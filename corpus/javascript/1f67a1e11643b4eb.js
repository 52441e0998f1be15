throw /[\r]/mgi
var ron;