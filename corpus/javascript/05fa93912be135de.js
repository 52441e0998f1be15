쟃b()().d𞥐O--
var 𠒈0ob;