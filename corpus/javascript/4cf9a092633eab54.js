throw void of -- for(var 㲈ੂt夦Wy=𪼌NnXp=--x𝨴u𣒱instanceof --pￗ>--vx3>--uf𑁴tꤊtf7ൣg>_>okovx>𖭣uL7𧆅>𫲪𞹼gbℭs>Swۿ>n6𑊝>𡽧𓰾Rౢ>a>a>a>a>a!=a?a:a
in
a);