do block:loop:for(𤓪𝞨2m.rB齐s 
in 𞺥w);while(h2𝨨ai)var ৎwxୄ柌;