function x(){boﬞꨩaylbᷓvk
switch(w){case a:try{return 𧥋 .𩠷呲L𑙄x2ওv𐞹1𑆀}catch(𝼥){throw ! K𝔞gZ}finally{tdSvYk𦪍W}}}