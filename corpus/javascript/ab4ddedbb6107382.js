function wu(){𘇝pNX if(l)return N
else;}