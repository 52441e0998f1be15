F꙯aA
switch(rv){case ዖ𘰍2ᤨky𐵡𭖃્3cj:ώ4NUet if(hoLኍ)break
else;}