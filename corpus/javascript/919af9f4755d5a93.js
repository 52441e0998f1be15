function N(){return pe\u0052%=n
p=sdB=𞥃mi𓗐u;}