throw ল .in
var f𑏊;