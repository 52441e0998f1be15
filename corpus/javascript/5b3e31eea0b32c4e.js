function ft𐻂ͅ(){do for((Fd)in𒐌awSFDvs𑊈𝛶y𦎙ꠋ꧙0);while(ၡ)
var ᱏܑb宿ꩄvog𫀍;}