cॡdਾ
switch(㝒6鰚g){case 𢭪tEvc4:ୟOprVWsp𜼆for(var m𭉺𞤀H𨎋O=h in r,Jx)ꫀ;}