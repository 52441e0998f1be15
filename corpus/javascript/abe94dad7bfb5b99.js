function 𥷒𫕊ꢁVM2m(){dvG႒v switch(e𑧔){case 蠰𨠐t𑎷s9$4yfkhྌ:Siv𑛠𑏐
while(h𓋎){}}}