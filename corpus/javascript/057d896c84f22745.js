function 𨠐t𑎷s9$4yfkhྌ(){Siv𑛠𑏐
switch(h𓋎){case s:s2 while(lw8)if(yxSsa7𝟐)Bk;else $=Ddu;}}