throwvoid m𐅴[k()[--wRΡ𮲈m] --].絣--
with(a()[--YP꧐ꅶ].V0T𮍙0ௐ𦭣　--,h55y쫀D𓵘()()[--u𑱀𭨮Y5K] --)o=o𑆼[--w𑯹𫪳] --;do try{debugger
switch($L,ૹ){case eᮮu1gM,i:continuewith(i,Plc)break;debugger;{throw	this===function(){}[--ＺxSb] --
try{;throw ~ --p𭷰 jmgpfunmu:break;do for(;;)break;while(--𡼠)}catch(zh){var ᰟ}finally{continue}(𑤓hE()[--d𞗺r𥯵E鹅k𞀣𧒍8i])+=F4}default:new g.坧ႂ().𪆮🯴[--sK1yzk𑀔].f[--c].k<<=E
for(var lH𑎴o𤐕깶_oxNQ𠒖Dl
in
a);}}finally{}while(a)
var a;