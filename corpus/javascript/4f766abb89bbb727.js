function O𑪉(){x𑒟
if(gaSZQrS𐐀c뾗𩅚J)throw aelse;}