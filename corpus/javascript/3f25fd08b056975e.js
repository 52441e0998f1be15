function 𱳥eNve᩸ￊ𑁰(){B7ip
switch(h𚿻6_svkOㇰ){case P:an౯CU5tsNOedזּSuopi do;while(aoS);}}