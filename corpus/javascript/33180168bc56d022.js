function 𓐯ﬀ2(){ⶀ block:loop:for(푬 in
𝛭);}