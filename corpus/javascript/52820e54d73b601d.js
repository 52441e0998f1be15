k᪉ switch(𖬮yk𑄶e2ﾾyzdim𑖵yru𩁐𝕲𓯾4l){case eFNb:𔇈c
for(var qড়;;);}