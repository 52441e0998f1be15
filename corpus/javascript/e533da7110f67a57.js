throw[].𛋯3=G읈𓷡ॏ𑍦O
var 𞹂gMCၴ𞸹d;