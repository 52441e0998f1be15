function O𑃱H(){𠈳
do{x}while(c8W);}