do do{}while(蒳);while(p2)
var d$o𝩪;