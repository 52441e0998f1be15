𐕼e5Cswitch(OprVWsp𜼆){case V𭉺𞤀H𨎋O:h
for((a㙋9) inc);}