function avౌ𞀀b(){E7
while(m)while(la,e$oያIxٟhℕࣣ𓗍r2ཱིvHk)udກB;}