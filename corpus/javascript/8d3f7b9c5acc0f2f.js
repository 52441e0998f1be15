(aA𐏑()[--R𧈊ந2An$I]) --
var nl;