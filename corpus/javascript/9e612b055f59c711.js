e𞄢fd𑶐 for(var 毯𘴈 in
𖣿U){}