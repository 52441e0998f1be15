function rrE(){pkE
switch(ℂ̲𐶅m㣼ၰ𝅲UE){case lbaDeເ൯mG:pjfor(;;);}}