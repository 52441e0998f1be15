do try{}catch(of){}while(sz)
var l𐵉fU้wv;