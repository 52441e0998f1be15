f릻R switch(ɟ᯲ᐴN00){case 𝞈:uෆEP_
for(var r1;;){}}