function adꟑr(){return (𓖽)-cf𞥔𖹉e
var gn;}