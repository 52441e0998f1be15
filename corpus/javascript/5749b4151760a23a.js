function q(){ars〩4𨅡ࢠswitch(c){case 𓷱d:b𐤕0 for(var D᷐
in v){}}}