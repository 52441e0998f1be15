function սඁ𰹙𑒟(){RaSZQrS𐐀c뾗𩅚J
for(ain
_Y𑵁w){}}