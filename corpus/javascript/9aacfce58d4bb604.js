function wl蠘v(){do block:loop:for(nabꢀ;Flࢇtcl𢫉𐻄;𐴣d);while(habੲu)
var $ymb;}