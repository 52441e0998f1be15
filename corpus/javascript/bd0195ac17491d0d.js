throw new undefined()()[new[,]()[--w][--wHnyh𦘐,--jꣻ||--Ulo&&--a|--ਵ䇈s^--tmi1d𑤿SZ&--a===--kf in --b<<--ppႎJ - --t*delete --eꨱ][(us_\u004d)/= {set"驵\0"(vg){debugger},get sz (){returndebugger;function j(){}{}debugger debugger;;return},set 0.(get){'';return debugger;debugger;function implements(){}},get'J\
\0'(){'';throw/*󥟅//󧔐񼢻HT𒟛Dy􈅲%~zS	IX#񧿽퟿;񡏻")VQn𙍢4)󥲃.//‧򄶌S𕽳􏿿‧+0*񜪅񗘁򆆋1𖅣󦾟82	𺉙)	+퟿*𩑣D*/function set(){}
for(;;)continue;return/**/function(){}
var a;},get a (){},get a (){},get a (){},get a (){}}.a=--a][--a][a][a][a][a][a][a][a][a][a][a]=a,a]--
var a;