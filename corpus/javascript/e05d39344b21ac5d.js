function lK9ਁ2N(){do if(pl𖄨6vy1Ax)k
else;while(𝛂L) var 𱀐d鼮퇾m;}