ᝮgbXog𱔍BWᩞ2a.Um𝕊G𪿑 [f𐾅쫞e䪩pਪ]=Yedே𖄧1ఀmwꫠXf𥦝
var Zbl$;