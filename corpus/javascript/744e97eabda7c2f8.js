function 𣠶(){k
switch(bnB){case eag5:kO if(𞹙)break else;}}