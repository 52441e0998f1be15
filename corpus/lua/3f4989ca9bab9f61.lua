if false
then end