function Q𑱐𝨃y(){vaa᷃
if(ew)returnelse;}