i
switch(bY){case sQ:ꣷif(g)var ui𞹡m6yX;else;}