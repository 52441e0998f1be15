do while(cꟑB払o𑴺𠒔6){}while(mfyRἘ𥚝xເ9A)
var m91xCEs5𑰼pfu󠇑𑋟𖄞;