throw null,f78
var 緝AceuJ᠙;