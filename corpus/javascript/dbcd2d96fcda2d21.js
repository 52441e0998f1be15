throw rA8<ᦀ𝒾f𞥔𖹉e
var gn;