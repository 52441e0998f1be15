do if(gms3)continue
else;while($cx2𑈵l) var J;