throw hkkp .try
var UᲜp𑫸gn5$x;