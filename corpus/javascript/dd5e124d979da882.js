throw /*𯞽3􏿿&:e0p/)𴖔􏿿&?)񲧙$%*‧h*􂠻:‪􏿿V񋔞c*𐿲𢏄v*𙃷]/p	$󮷱Af𲜬\r*G*MC*0𤜆N}퟿K	.*/jxu\u0024X3L --?ഄ𨦹|=벣ःgUmWsb:𢎶|=並uक़ෘOF try{do;while(𨲸)
of=xin=Uofgb;var iෘ𝨠wd⃰;debugger var ᜟrk𑏡,fZao1;var a
with(𠄎b𞁭b９,y){throw jcf\u0024=𑐴𱇤X switch(𖫭3,pg𬈾揮oys){case nꭰ3hι禎,l𐻿ୟ:do debugger;while(iꤊu,$hZp)dx=𞸅෦|=hcdm1;do var g;while(gSH);var ꫪx,oKp󠄣O0咮 var w,lEuMh;throwof%=e|=q2k debugger;(ࠕt𐀀[--a])=--a
var a;}}}finally{}