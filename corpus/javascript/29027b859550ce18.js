function gxw訴xॐVPfz̧𑈮캖(){R
switch(o){case RpiେNJlmP6絚z:cjX
if(yO$HgNkqS႒rh){}else{}}}