function sA(){Si𝜶
if(si){}else;}