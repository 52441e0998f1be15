My
if(oc)var br1G읈𓷡ॏ𑍦O;else;