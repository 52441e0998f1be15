of[𓆩Ad6b]=osq3$ꪽ try{var Šੇe5S𥚱  o=Fg|=h;--ㆰW*!--dิy𞄰l𑤉nnkOl8W𑼀%--x0ⷢ / this%Bjぁ%n𞺮%x%i%r%cjsr*e-x<<g>=sb==g꩗?oៗU|=sPi𑍦T:P=𐝀kdebugger;throw /(?!|)/gmi===Jx𐏕try{debugger  hvk0ztinqe5uyll9l4sxcato:throw (X)+w𑎋𰏷te⁔;void--w / 敃🯹 instanceof
G︯fZ3𥣝i舦
if(rU)do with(𩨜u);while(w𨲜S0J)else debugger;(qxtyf幍dSU9𑌾().StC)--%tᦫ꯵Jkin
y긽for(var f𰭢ꩻ;p;tnma𑽐vyo,筎S)--(isꩃ);debugger;{[,].e8p.z8 --
with(dῼx)--M.Ω𝒢𚿻𮅾3Yr𞸤Z6;}}finally{}}finally{}