m𡊉switch(𐖌){case 𔇈c:ᛮH
dkn\u0059=ꯢ7r𐭕g=pNtnMª𑇎Sjxt4Sokt𑏇;}