throw wtsSu𐜦aLhT𝆅f𐨆PlGoxv&=𬟋L𗌷𰯰
var ߴo5᪅︴a7p6topizuc;