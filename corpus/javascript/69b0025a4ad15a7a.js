function y䏳(){𣩝rpﷇs
block:loop:do if(YX𑙄ᰱ铺);while(e);}