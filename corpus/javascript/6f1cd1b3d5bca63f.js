do block:loop:for(HD().ՠྕ5 
in G𡨍𧙻);while(𞟭)
var m;