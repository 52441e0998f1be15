function ざਾ(){return[,𝐀tok][a꩗m]--
var amY;}