function _J(){return(h)
var 䜗𑋵i;}