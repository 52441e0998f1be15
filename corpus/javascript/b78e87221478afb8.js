function Ps𑍗Fa𑧚(){yᮡp5৯63
block:loop:do try{continue loop}catch(h){debugger}while(m);}