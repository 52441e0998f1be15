throw i4𬾷Tso .extends
var ヿ;