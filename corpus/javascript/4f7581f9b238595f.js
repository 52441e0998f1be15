function f(){return {get aG(){},m൪ꥈ뼸𐵭𝝮怉:--ￚsx,80E-1:ov|=--Uqb,g:--br𑛠NuKT,𤲚ﬆQ:--e𖭙lTIFk,xE3ew:O,ำ𓤫:w,𗾷I8Fb𑠡:a,a:a,a:a,a:a,a:a,a:a,a:a,a:a,a:a}
var a;}