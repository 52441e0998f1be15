bodahch().𩍲𥀩ꩾ6𑼴
var fFwd;