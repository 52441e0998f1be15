𓓋Ø멱xnv()[--ኍ𡱾0][--ᝮgiutg] --
var r;