function Ht𠴲𪢊rE(){pkE
switch(ℂ̲𐶅m㣼ၰ𝅲UE){case lbaDeເ൯mG:return{}
𬵾=V;}}