𨂯switch(F꙯aA){case Yv:ዖ𘰍2ᤨky𐵡𭖃્3cj
while(𥴦3ᬄ)var xT8Lኍ;}