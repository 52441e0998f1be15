throw new new ᯖa()()
var Y;