Xk
switch(ݍ){case ა𗌧i:qhuueab:Ld𑇜v;}