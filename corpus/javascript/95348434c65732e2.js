function zpdm_(){ॡls
while(kl);}