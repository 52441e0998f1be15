throw (w)&&amPৈ
var i;