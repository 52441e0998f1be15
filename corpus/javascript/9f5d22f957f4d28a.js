𑑟J𑶔Wזּswitch(Jspא4){case AOlc7P:ShS_h
try{}catch(n𑒶𝞨2m){}}