function jC3(){do for(var 𣄸e𖿤;tSm𞀉;I0𲄝7n)var g𨖻䇱oVxpf4ᢆw𨺗;while(w)
var m4;}