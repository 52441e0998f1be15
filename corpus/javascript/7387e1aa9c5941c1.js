throw /$/igm
var Yon;