function gkRl(){leswitch(𑆃ha5){case n8ab𞗭:p
for(X
in pibfho᠋0𩗟yd𑍄gr)var ວly;}}