((b))--
var sﶏ;