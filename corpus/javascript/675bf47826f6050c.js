throw (𞹉ZPa𑀸X𤘪)
ink
var uonkgs𓆺;