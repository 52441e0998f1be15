function y_7ꪽ(){Q
switch(yMgvyா){case e:cblock:loop:do do{--I}while(k);while(y7);}}