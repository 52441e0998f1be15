nswitch(F꙯aA){case Yv:ዖ𘰍2ᤨky𐵡𭖃્3cj
if(𥴦3ᬄ);else;}