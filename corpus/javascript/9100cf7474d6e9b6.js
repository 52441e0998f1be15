function ቖ2Y飧7(){return 𨴦vn𐓙d𑨌C𨅵𐨺uo谷|=l𗚅mPৈ
var i;}