c2𝙆42rz𑙄w switch(c){case 々g_:dᮏt for((pafMtV3gnvn্7h)
inf);}