f5pswitch(mZ){case c42rz𑙄w:yࡀsۤ𠿵ᮏt if(pafMtV3gnvn্7h)debugger
else;}