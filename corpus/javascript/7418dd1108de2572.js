function d(){do if(emwg𑛛GZm0Ic2度ns3xOe8)throw Zi else;while(bF)
var t;}