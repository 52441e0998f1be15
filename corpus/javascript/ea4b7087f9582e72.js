do a8fusd:;while(𡚎Àxehf)
var f;