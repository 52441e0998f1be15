function o(){do if(XpmH){}else;while(a6w)
var oါ8𖠀;}