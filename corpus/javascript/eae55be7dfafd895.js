function $s(){r𑵁wif(bxY)return
else;}