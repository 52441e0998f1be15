function 꽔(){do for(b()[b1]
inH1rEa);while(嗄犀r𐨅rbࠛss𭡀zg)var w;}