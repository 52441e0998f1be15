function x𞅎d5c𱍊74ꠁxowd$f(){yyI𑛁𡗋
switch(t3vueu){case P:return new p();}}