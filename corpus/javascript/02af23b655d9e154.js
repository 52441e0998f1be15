--p𨕪.X0
var יִ;