throw	/\S/
var eIc𥶱;