function e(){𓬜l
switch(as){case gN:cif(F);else;}}