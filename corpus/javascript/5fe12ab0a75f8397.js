function y_7ꪽ(){Q
switch(yMgvyா){case e:cblock:loop:do do{--ˆ}while(𱜿7);while(miv틫);}}