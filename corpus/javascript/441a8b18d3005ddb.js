do if(pa);else;while(unM)
var qts𒃪;