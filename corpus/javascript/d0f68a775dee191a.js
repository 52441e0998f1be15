--xu|--Q𮨡6iꢽzwd^--ೡfೱieIe|--v𛄢m5𑋹FR🯹Z𤖣|--kd|w𐒝niyac|ؠk|pn|_़hi|𓐯3Ჽ迅|ey|e|a|a|a|a|a|a|a|a?a:a
for(a&a;;);