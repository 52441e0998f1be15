㞇𝅻
switch(섦){case b2ᤨky𐵡𭖃્3cj:debugger;}