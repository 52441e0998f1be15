throw ল .with
var f𑏊;