do if(nbehృ𞹇𱥢ybgsskiu琜klx65)debugger
else;while(dg) var td4oퟆ;