function oۭx(){v𑈯𑌸8
block:loop:do try{continue}catch(w떶){}finally{return[]}while(hpK2ႅyag༾);}