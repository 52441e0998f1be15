function vૹ(){return"򃸭\
\0" .Rw𐨆1H7=rn𔑂xot𪐹sL𖬵rcbS9
while(ᾀf,f)debugger;}