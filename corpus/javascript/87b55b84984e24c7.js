do if(eNO𝆅tc)f릻R else;while(ɟ᯲ᐴN00)
var v;