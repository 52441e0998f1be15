throw dsy2x .fb_\u005F
var yr𓭋;