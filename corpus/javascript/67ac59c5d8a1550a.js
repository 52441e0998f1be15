function y(){do for(Ƈf()[s一𢯖6Pu]in 𐨗){}while(Op)
var 𗵏;}