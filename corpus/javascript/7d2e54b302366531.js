of[𧞞𞗺6ll]=ண𡘝p7Ῥෞetry{--r^--a5&--gbs^--𑈀la^--yp^qho3^ༀm^a^Taaz0^d^m^r^a^a^a^a?a:a
var a;}finally{}