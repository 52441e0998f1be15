function m9(){we for(var r𐒠
in 𔙆);}