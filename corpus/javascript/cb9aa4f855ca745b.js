𐋐 switch(ssᷘࣳv){case 𐀨:𓈴𑚷m𐫉𛂒
if(Msdେ𐮑)throw'' else;}