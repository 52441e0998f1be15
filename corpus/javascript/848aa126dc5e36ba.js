function _(){gtswitch(t𖠀மg){case fo:throw''
var 桮𑑆w;}}