Ωswitch(ms){case 𖨸1:i𧔡v𣱬ॐ𑫸𱘌z5n
block:loop:for((dັ3) in gehృ𞹇𱥢ybgsskiu琜klx65){break}}