do while(d)var ˑ;while(𑼳xh)
var a𑊰3;