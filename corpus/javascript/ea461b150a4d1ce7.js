do c55hrmgpeb:{}while(hhS_h)
var n𑒶𝞨2m;