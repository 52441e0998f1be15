function d(){w1𐒢𫷘1bswitch(d){case P:cMe𑍬oeok⁔𝞴6
if(j)var k;else;}}