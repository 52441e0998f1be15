function J𣢀9(){return　new function(){}()
var ॡ5b50s;}