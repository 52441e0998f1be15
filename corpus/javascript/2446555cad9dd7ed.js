function M𞹝bᝓ𐣲k𑆳uo(){hsa7𝟐
switch(o𔐀欦k1){case D:𬻘9while(ꫂG)try{}catch(lv){}}}