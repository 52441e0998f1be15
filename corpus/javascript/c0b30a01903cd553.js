𐵯0𠷚Tgbw7w
while(Jy94ug);