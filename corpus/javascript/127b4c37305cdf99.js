function wl𡧁(){do xaylvcypa:{}while(b𞹏ୈ5ଽl8𪜀J𝟋)
var ῆ;}