function CUo(){return u--?k᭳:_𑧣j97Jꠂৰ
var e୫N簰;}