function C𠰑(){do do var emwg𑛛GZm0Ic2度ns3xOe8;while(Zi);while(tl)
var HU80;}