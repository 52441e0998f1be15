𰃧Gלּc.z
var 쫿twe6幍dSU9𑌾;