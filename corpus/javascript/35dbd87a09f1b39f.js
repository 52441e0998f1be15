throw /\ca/
var Go;