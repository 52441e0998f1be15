ØΩᙬ࣬g switch(nJh){case 𪕸𑙐𨴞z3k:mQo
try{}catch(of){}}