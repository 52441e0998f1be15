function c2(){do for(l𓊽o.yW incDs⃡ᬾd3𥐆xJpvoEYS){}while(dc𝚨ঌ𐦇MFCvhes7F)
var W;}