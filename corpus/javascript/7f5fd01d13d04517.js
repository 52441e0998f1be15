cfor(V4j in
必󠆽)t1G읈𓷡ॏ𑍦O=𞹂gMCၴ𞸹d|=td𑎀yxwᝒm;