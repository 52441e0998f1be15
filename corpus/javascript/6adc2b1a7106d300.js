function NkF(){C switch(iu){case dꢴ:return! 𞹗
for(pc()[ry]in 𣊲,yS)return'';}}