function k(){do if(NR94𑥙)continue else;while(ºmµnre)
var 〱5;}