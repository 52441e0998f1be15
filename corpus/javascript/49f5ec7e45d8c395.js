function Gᰣ𑲣(){𞗭ූmꨀmPe switch(HP){case w1𐒢𫷘1b:eಹOMe𑍬oeok⁔𝞴6
if(j);else;}}