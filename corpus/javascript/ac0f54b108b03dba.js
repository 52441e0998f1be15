do block:loop:for(var O7 in
c𬜔);while(iKVkY31i3)
var 𭆮yxnp02꪿kFྦH𐫉𑏓Ke𠻺ph𝞨p;