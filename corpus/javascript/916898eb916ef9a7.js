function rnTᷥ(){ޱif(lb)debugger
else;}