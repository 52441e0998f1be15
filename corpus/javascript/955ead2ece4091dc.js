o🯰8ฺswitch(wxEl6𛅧t7ᰴ直ۤc){case unmU0:a
for(;;)try{}catch(mjg\u0024_R){}}