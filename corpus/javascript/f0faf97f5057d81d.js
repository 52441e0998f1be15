cif(e𪌟ok)debugger
else;