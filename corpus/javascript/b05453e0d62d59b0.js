function bC(){yࠚzPn9𨇶ublock:loop:do if(f)return
else;while(a퐭);}