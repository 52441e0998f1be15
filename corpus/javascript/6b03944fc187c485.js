throw new[E༙rs1.\u0024 --<<bBvax𪛟()().𘟷𨦅5 -->=function(){"use strict";return　this}.ஃ𣥍02ૢວAো쐅8PࠡY𫗉y﻿--!==qlR𝪄().aWᬶ&xn()<mhq()()!=new new 𧘈sfvh龭iW𧤝1_h.t?function(){++r,vg=--f,--i𑤾an in
--pXK𭥿_,i|=--aAι8 instanceof
--o
 i=wz[--e,--ῲg]|=new this()?𡄏𢣾9Tֲ𐾅E𝅲ubgo|=--𫶯k𡗅:XP|=--bp3tu8X;do do do{var yk,ⳤrzcC var 𑵨,𑈫;return new CWlGo𤐰C6sZW5NnO.𑁱();throw new new F7R྄𜳰9()()debugger;continue
for(var ꭰy,S𤵶a꘩v;;)var a;}while(--a);while(--a);while(a)
var a;}[a]=a:a,,a]()
var a;