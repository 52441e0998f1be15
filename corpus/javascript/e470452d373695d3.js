function h(){return 0E+0>o
 of=h;}