eb
for((Q)in ἰbvx𑑆U);