function tc(){do if(𓽋𖄱ລ)ꊦౣQऺelse;while(vp)
var tl𝛺𞟾tM𐏈T𞀎P8꧹Dk4࣬rml𐫀vQcp_Cb;}