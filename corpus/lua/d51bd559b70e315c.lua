repeat if 7
then end until 9;;