hpia꧙
switch(sp){case d𬄩d:pif(𖽊KPු8m)var Pv;}