ਵೡ𐴣 switch(k2){case ᝑ𑜫t:b𐗳
if(d𝛼bc6yeۯt𑱙𑨅x9)var au;else var q;}