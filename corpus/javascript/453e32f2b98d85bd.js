function 𞹪m(){kublock:loop:do if(𬔼YktCֈ3)continue loop
else;while(ꬆ🯶Hoyevvvu荲B9vo4);}