function Sي᭖4(){return 𩒯ufwRuC3r1︀g𑶐t⳯y᧗jk?uǘy9cr𐒩:_sVu
var Ύ6;}