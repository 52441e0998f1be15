function Tn𑒹𠇷(){do for(var anr𝨳 in𗠔v){}while(𰓷)
var wiKᢀ;}