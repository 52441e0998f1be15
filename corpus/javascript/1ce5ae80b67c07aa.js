function Y𐒩dtoi(){do try{}catch(of){}while(CK)
var vwao29;}