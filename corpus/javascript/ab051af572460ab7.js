(n𝕆D𪿖)=f𐾅쫞e䪩pਪ
var sedே𖄧1ఀmwꫠXf𥦝;