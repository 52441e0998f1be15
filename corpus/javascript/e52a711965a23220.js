function g𧶞𩣞(){do block:loop:while(ⳤ߀8);while(𨇕)
var 𝓅;}