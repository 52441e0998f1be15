do block:loop:for(;𑵥ℤhg蹇X;Yx);while(Exa𝟘fhp8ㆼKhۧᮡꣁd󠄨v)
var EtvspN㱉a9e;