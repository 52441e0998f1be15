function k𢀡lw𞺻ᶐ𑍴(){return N𩏝Ij||ச try{do;while(X1vh)  ej\u0050=rn𔑂xot𪐹sL𖬵rcbS9;var fᆺvar k;by6ൗr𑼒
try{return (g)||iX𐾂h𝐀wlࣴ if(amj𑊟Jⶰwpem󠅸𣚬ibW)debugger;else vp᩿𑍐q=Zࠨk;throw hah\u0024C6%a with(ꠢ3)var LQgx;xV
switch(𧓆m){case iB:var n𓗐u,cdh
var $,V;return (--W)==x༾Q
debugger;throw (--h)-ai
for(var y,Tᎏᶧvnn;--inobc𗲪,--wh;--𐀦Oeswr,--ᬅ7)break;--_ou𑎋ᜳtif(--u𝨖,--Ა3lS33)do{break}while(--fkc০后r朅x) else eh𑩑vk𢓥nr᪐makiz𤎶𩑽=--a;}}finally{}}finally{}}