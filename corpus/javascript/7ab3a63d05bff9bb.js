Xf4F
switch(fꘐ){case 砲:t𱁷𞋀3
 uiowus9r:;}