do if(it)throw Άu5𧂵
else;while(𬆐𞊐Mf1hh𤷃fC)
var ksUty7aA𑋪;