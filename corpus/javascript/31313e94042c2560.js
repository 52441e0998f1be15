Pv
switch(X3𫯛𔑢){case nde:t try{debugger}catch(\u004557f){}}