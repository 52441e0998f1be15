do try{}catch(vgn\u00240iF){}while(Exa𝟘fhp8ㆼKhۧᮡꣁd󠄨v)
var EtvspN㱉a9e;