do if(uෆEP_)var 𖨸1 else;while(ꐓ9𣱬ॐ𑫸𱘌z5n)
var M𠽋ັ3;