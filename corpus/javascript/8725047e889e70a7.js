function RpiେNJlmP6絚z(){cjX
switch(yO$HgNkqS႒rh){case K:E if(eῂn_s)var b;}}