s𛄢switch(m){case odUcOYk:𰸤Fu3N if(ﬨ)hpia꧙;else for(var 𬄩d=pin
KPු8m,Pv)X3𫯛𔑢;}