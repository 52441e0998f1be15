loe२
if(co)debuggerelse;