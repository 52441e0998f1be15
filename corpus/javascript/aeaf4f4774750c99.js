function ft𐻂ͅ(){do dcrn2ghlxcob1xv9ekd:var kꠋ꧙0;while(ၡ)
var ᱏܑb宿ꩄvog𫀍;}