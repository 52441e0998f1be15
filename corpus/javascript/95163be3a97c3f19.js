throw /\b/
var 𭁙𑠱CCisj43;