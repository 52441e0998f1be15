function h𑵆cFiM(){I0𗱏rD switch(ꚥ𱋣𑙀ㇰ໒){case 𱼐f၉:Όh䥿ෆ663
for(k.rↈ680C  in e4𑽚ၲ);}}