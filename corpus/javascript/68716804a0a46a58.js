--s|--rn^--Nኁ|--pu|--gYoDN𬋣r𑊈At|Im|ၮꂽho𦸫|𭼃d|헨Jw|𫑾ku|i|dr𭚮khᮭea𞊭|a|a|a|a|a|a|a|a?a:a
for(a<=a;;);