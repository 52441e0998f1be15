function Mⶦtxvv𑶊mౖ1𞸩ନxu(){do try{}catch(t){}while(l𮗮Be)
var 𪶽an;}