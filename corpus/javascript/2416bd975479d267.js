function v(){do if(fx)debuggerelse;while(𗉜l𨧟𑣩꤫Rxk0ꫭ𞅎)
var 뤍;}