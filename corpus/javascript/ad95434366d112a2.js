function Q೨alpLzpn(){do if(w)var d4aKe𫐚𐠅v;else;while(K𧫺𰓺2at3̯y)
var ԯkg;}