do if(o)var c𬜔 else;while(iKVkY31i3)
var 𭆮yxnp02꪿kFྦH𐫉𑏓Ke𠻺ph𝞨p;