function nਾ(){do while(𢹽wdVjF)var r0;while(e)
var o;}