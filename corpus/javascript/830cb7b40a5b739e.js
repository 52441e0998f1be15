throw /\x2A/i
var vwao29;