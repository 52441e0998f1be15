𬟋L𗌷𰯰
if(ߴo5᪅︴a7p6topizuc){}