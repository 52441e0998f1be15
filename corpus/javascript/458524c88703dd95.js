/((\cb{3}||(?:|)){0,}|)/im[t𖽕u]=ಀ try{;--vwe6幍dSU9𑌾>=--t<--c>--F>w$o𑆀>𮄚ῴz긽>R>Ma𰭢ꩻ>bIsnma𑽐vyo>筎S>u>fy>isꩃ<a!=a
var a;}finally{}