do if(oQ);while(ꦄꑉl)
var Pੵ䯷Sn;