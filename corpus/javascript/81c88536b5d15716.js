Fෳ𑜴L𞹼 switch(uॎUZu𖵳𑌼){case w𐦤f𐒎:gla
if(o)debugger
else;}