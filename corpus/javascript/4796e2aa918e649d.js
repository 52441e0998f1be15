function G𗑽DI(){return (mdXf)<V𡸌𲈾rr煕oT𧦝𝟎𓜂x
var 𠸸;}