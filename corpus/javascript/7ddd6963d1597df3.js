throw--𐨀t𗛴l
var UdyE᪂s᪷;