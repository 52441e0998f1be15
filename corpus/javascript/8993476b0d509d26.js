𢭪tEvc4
switch(ⴰ){case cprVWsp𜼆:V𭉺𞤀H𨎋Ofor(ㄆn;ᳶTෳU᪉;𖬮yk𑄶e2ﾾyzdim𑖵yru𩁐𝕲𓯾4l)try{}catch(g){}}