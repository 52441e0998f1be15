P.JHZ$ꧥO5j𖽧𐽐l2Z4
var Nodahch;