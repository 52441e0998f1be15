if v
then end