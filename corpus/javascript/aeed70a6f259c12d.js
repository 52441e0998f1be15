do if(ໟv)throw 𐎀pWQ
else;while(bꑉl)
var Pੵ䯷Sn;