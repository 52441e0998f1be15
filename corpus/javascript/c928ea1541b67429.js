function x(){do if(mt){}while(nx𐗀r𝒻䱓f＿)
var 𖩞6𩱕᳥ezir𧤫QydRxDi𐱆uஃ;}