(㙈𖽘)=g7
var m;