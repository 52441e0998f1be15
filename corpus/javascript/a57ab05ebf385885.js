function gҁ(){𮫒𦱄
switch(uu){case t:𞺫khwtry{}catch(of){}}}