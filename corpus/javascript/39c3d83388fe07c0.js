bv6
switch(𒑣y){case wa:𐼜fo憯iwGutuB0aSvx for(sJyY()[Y𱊷2] in f35);}