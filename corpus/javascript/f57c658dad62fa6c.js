function lynVࣿ(){do if(𞥃gL)throw''
else;while(𑾰)
var ꧏꧏy6uIj;}