(dksx)[ro]=cࣧr𑏓𖾒m
var $kH;