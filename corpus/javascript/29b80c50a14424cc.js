do block:loop:for(ln애;u5拽r;𑵪ែa5so);while(ci)
var e;