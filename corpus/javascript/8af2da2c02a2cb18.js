function gl(){leswitch(𑆃ha5){case n8ab𞗭:p
for(X[jmibfho᠋0𩗟yd𑍄gr]
inଵ){}}}