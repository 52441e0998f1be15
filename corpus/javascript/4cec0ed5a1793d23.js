function h(){do with(ޱW蠘v)var nabꢀ;while(Flࢇtcl𢫉𐻄)
var kd;}