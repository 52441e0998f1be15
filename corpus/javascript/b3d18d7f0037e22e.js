of=Kionୗmbc
var L𑼂𗜤𝨻b;