--gt>>>--ㄯyi- --M𦟧𑍄p<<--uA𐝠p>>--t+--𑅶dcyt>>t2p𝔅𡲎nd>>t𜳴𠒬>>Cx8>>g>>𰀭rF5wsP>>똞Qr𑚔𝟞藧𜳹lG8>>kr𘐜hai>>sࠫ7eઓKnp𑐷yꭣ𬠤L>>CI6>>$tx𑴋ಽ>>a>>a>>a>a!=a?a:a
for(a||a;;);