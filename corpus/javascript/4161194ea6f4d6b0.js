function dꢴ(){C
switch(A㠴훒iYy){case d𣊲:ySwhile(h);}}