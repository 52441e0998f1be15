function D(){yeNve᩸ￊ𑁰
switch(𑠀nip){case 𐞇𚿻6_svkOㇰ:Pblock:loop:while(p౯CU5tsNOedזּSuopi)switch(S,𫂣){case--rttℊa𖿤,cnnh႔𑍗y𨤠a:return	(--ࠨ).𥕙
for(var din
--r);;default:;case ne:}}}