function అkNrv𧆮𢽫ҁ(){𮫒𦱄
switch(uu){case t:𞺫khwfor(;;);}}