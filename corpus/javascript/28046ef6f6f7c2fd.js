function r𰉣I(){return (i5kMvke)<tId🯹2x
var ud푯T;}