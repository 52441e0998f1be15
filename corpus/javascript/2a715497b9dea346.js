function k̜(){return null-溻go䎒
do return typeof!np;while(ߵ,𑇄);}