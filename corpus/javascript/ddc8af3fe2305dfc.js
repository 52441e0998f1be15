function rFRf(){g𑥐
for(;;){y}}