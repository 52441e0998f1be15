throw new function(){}()
var 腐zා;