[eᯥ][vN໒k]=uꡩ
var md;