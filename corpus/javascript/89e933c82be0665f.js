function cc(){do for(var tp;;){}while(Σnd2BH᯳𡊢p)
var lu𝨨Pqx5r;}