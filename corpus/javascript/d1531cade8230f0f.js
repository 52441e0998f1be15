throw /.*/g
var s𑫸gn5$x;