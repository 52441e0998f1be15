throw of+xੑe
var ᱽi;