p3$𖬀0lfor(loe२.𝓙21J in
𤛍){}