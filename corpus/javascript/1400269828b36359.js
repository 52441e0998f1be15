biq5q𑶢v()().c6੍ౖ৩𔘿 --
var c𮐲hurB;