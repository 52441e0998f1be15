function dtg(){蠰𨠐t𑎷s9$4yfkhྌ
switch(hiv𑛠𑏐){case 𤣄𓋎:throw! Fgw8while(gfuo,hsa7𝟐)throw　n--;}}