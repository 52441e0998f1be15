bv6
switch(𒑣y){case wa:𐼜fo憯iwGutuB0aSvx if(sJyY)Y𱊷2 else;}