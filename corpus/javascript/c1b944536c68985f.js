function f갰ྙVr䢣0O𘢤pnf᧙(){do while(vG){}while(j덩9jU𦋛e𓕝kxk)
var z;}