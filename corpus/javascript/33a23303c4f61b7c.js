function 𫻤ᷙꪽ(){return /(?:)/i+Xm for(var wua=Ew𔀮ⷐ
in
솸𑜹w,sog)return [,Mdol];}