repeat if false
then end until 3;;