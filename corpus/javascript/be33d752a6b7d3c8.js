br1G읈𓷡ॏ𑍦O
do{continue}while(xgMCၴ𞸹d);