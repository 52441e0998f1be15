throw	wxD߀&&𑨺𑛣nhG礗O
var Qa7;