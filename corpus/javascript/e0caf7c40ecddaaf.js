throw /$/
var sמּ𑴺;