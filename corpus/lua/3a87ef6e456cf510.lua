do::again::if 3
then goto again end end