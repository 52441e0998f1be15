function zpdm_(){ॡls
if(kl)var m;}