do if(r1)var mv𣱬ॐ𑫸𱘌z5n;while(Hְⷽoഒxc𦸎ృ𞹇𱥢ybgsskiu琜klx65)
var dg;