y䄲pQUoD5w.ഌG_
var R0;