function m7co(){do if(svl4ny)break else;while(M)
var kw뤃;}