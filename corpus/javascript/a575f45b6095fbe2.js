function 𨠐t𑎷s9$4yfkhྌ(){Siv𑛠𑏐
switch(h𓋎){case s:s2 while(lw8)if(kuo)ta7𝟐;else try{}catch(of){}}}