function 𝟄r(){d𡧾pJ𑶉Hur7᬴ switch(lGW){case luU7שׁL𑌾f્c੩5b:k𣍶for(var yG7𑻶󠄉8T=az
in 𖿣u4_6fvnቘd࠙5,𢃝A)Ⴭ;}}