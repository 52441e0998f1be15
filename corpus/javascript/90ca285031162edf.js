throw /\ua250/
var d;