--Q6u3ddꫯ4𑎐%!--B𑽚cbၞd / ek--*--D𝔖js㘾𖩀eࠥ︳u4s%𞄉𔆹%ａ%_%x㣌%asren3%uP7%y𝔖u𢉉1%j玕k𤂱6Ic%e%m%c𓹂py%uvyrf%ononv%a%a
var a;