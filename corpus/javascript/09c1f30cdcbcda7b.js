function iᣋoiwi(){$ switch(Mb࡛C䤨){case nvl:eovjmt for(x()[p$rvUKg] in
uh,ld)owp;}}