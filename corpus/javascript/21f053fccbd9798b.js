𔇈c
switch(qড়){case pI:𥺓86
for(;;){}}