function y00𝨑𫚎epm9c3U𐨙x(){YzpS
switch(Ry){case m𑉁w:with(𝒒95ꮰB𑎻ꨶx)debugger;}}