goᶿ
for(ۿ𓊚.𗶪j꧙q4𖽺Dt in𞄢fd𑶐);