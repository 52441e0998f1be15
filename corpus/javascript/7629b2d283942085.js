hswitch(i){case mag̷h:𖿡
for(;;){}}