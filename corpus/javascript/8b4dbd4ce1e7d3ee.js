function ytqrha(){e$oያIxٟhℕࣣ𓗍r2ཱིvHk
for(udກB;J𮏑ੇe;ਨ){return IcC9D𑥐怑n}}