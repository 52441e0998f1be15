I𑆂3i[--𢟠n3uᲐ좌]	--
var mtٓ𑰸g𱔍BWᩞ2a;