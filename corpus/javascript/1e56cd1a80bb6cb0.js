throw! tk5
var zp;