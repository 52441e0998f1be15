function X(){jmibfho᠋0𩗟yd𑍄gr
switch(aວly){case pcFiM:I0𗱏rD for(ꚥ𱋣𑙀ㇰ໒[𱼐f၉]in
ygzjc63)var $p8bktJহry8sၲ;}}