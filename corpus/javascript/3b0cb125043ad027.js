wi[csF⃐rG𑜚5Md5TVἕe]|=Z裗ً
while(g,ce𖽑)new ጘexb()()(𐢞𨃢ू𞹂).bew\u004ceA[y𐠓khdc𤾕]>>>=G4y𰠳Pga𝨉;var R